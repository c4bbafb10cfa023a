/** Runs any program in a fresh sandbox like the agent's. It tests the sandbox itself, so the policy does not apply. */
import { constants } from 'node:os';
import type { BackendChoice, RunResult, Sandbox } from '@fettle/sandbox';
import { exitCodes, usageError } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { openChosenSandbox } from '../../stack/open-chosen-sandbox.ts';
import { findHomeFault } from '../../stack/unwritable-home.ts';
import { type BrokerAccess, withBroker } from '../../stack/with-broker.ts';
import { printJson } from '../../view/print-json.ts';
import { absoluteRepository } from '../run/local-repository.ts';
import { bringRepository } from './bring-repository.ts';
import { explainExecFailure } from './exec-failure.ts';

export interface SandboxExecOptions {
  backend?: string;
  repo?: string;
  timeout?: string;
  json?: boolean;
}

/** The same as that of `timeout`. */
const timeoutCode = 124;
const signalBase = 128;
const jsonOutputBytes = 10_000_000;
const choices: readonly string[] = ['auto', 'docker', 'bubblewrap', 'process'] satisfies BackendChoice[];

export async function sandboxExec(argv: string[], options: SandboxExecOptions): Promise<number> {
  const config = chooseConfig(options.backend);
  const seconds = readSeconds(options.timeout);
  const repo = options.repo === undefined ? undefined : absoluteRepository(options.repo);
  const homeError = findHomeFault(config.home);
  if (homeError) throw homeError;
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  try {
    return await withBroker(config, signal, (access) =>
      exec({ config, access, argv, seconds, json: options.json === true, repo, signal }),
    );
  } finally {
    stopListening();
  }
}

function chooseConfig(backend: string | undefined): Config {
  const config = readConfig();
  if (backend === undefined) return config;
  if (!choices.includes(backend))
    throw usageError(`--backend takes ${choices.join(', ')}, not '${backend}'.`);
  return { ...config, sandbox: backend as BackendChoice };
}

interface Exec {
  config: Config;
  access: BrokerAccess;
  argv: string[];
  seconds: number;
  json: boolean;
  repo: string | undefined;
  signal: AbortSignal;
}

async function exec({ config, access, argv, seconds, json, repo, signal }: Exec): Promise<number> {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await openChosenSandbox(config, access);
    if (repo !== undefined) await bringRepository(sandbox, repo, signal);
    const result = await sandbox.run({
      argv,
      timeoutMs: seconds * 1000,
      signal,
      maxOutputBytes: json ? jsonOutputBytes : 0,
      ...(!json && { onOutput: writeOutput }),
    });
    if (json) printJson(toJson(sandbox, result));
    return result.cancelled ? interruptedCode(signal) : exitCodeOf(result, seconds);
  } catch (error) {
    if (signal.aborted) return interruptedCode(signal);
    throw explainExecFailure(error, repo);
  } finally {
    await sandbox?.close();
  }
}

/** Waits for a slow reader, which also slows the program down. */
function writeOutput(chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(chunk, () => resolve());
  });
}

/** If the reader has exited, the exit code is that of a program killed by SIGPIPE, as in a shell pipe. */
function interruptedCode({ reason }: AbortSignal): number {
  return reason === 'SIGPIPE' ? signalBase + constants.signals.SIGPIPE : exitCodes.interrupted;
}

function exitCodeOf({ exitCode, signal, timedOut }: RunResult, seconds: number): number {
  if (timedOut) {
    process.stderr.write(`fettle: stopped after ${seconds} s\n`);
    return timeoutCode;
  }
  return exitCode ?? signalBase + constants.signals[signal as NodeJS.Signals];
}

function toJson({ backend }: Sandbox, { output, omittedBytes, ...result }: RunResult) {
  const { exitCode, signal, timedOut, durationMs } = result;
  return { backend, exitCode, signal, timedOut, output, omittedBytes, durationMs };
}

function readSeconds(text = '300'): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw usageError(`--timeout takes whole seconds from 1 to 999999, not '${text}'.`);
  return Number(text);
}
