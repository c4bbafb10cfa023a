/** Runs any program in a fresh sandbox like the agent's. It tests the sandbox itself, so the policy does not apply. */
import { constants } from 'node:os';
import { join } from 'node:path';
import {
  type Backend,
  type BackendChoice,
  chooseBackend,
  describeRefusals,
  type RunResult,
  type Sandbox,
} from '@fettle/sandbox';
import { CliError, exitCodes, usageError } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { canGoWithout } from '../../stack/embedded-broker.ts';
import { findHomeFault } from '../../stack/unwritable-home.ts';
import { type BrokerAccess, withBroker } from '../../stack/with-broker.ts';
import { printJson } from '../../view/print-json.ts';
import { absoluteRepository } from '../run/build-request.ts';
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
    sandbox = await open(config, access);
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

async function open(config: Config, { broker, missing }: BrokerAccess): Promise<Sandbox> {
  if (missing && !canGoWithout(config, missing)) throw missing;
  const choice = await chooseBackend(config.sandbox, {
    folder: join(config.home, 'sandboxes'),
    searchPath: config.searchPath,
    limits: config.sandboxLimits,
    readOnly: config.sandboxFolders,
    broker,
    brokerMissing: missing?.message,
  });
  if (choice.ok) {
    const { backend, passedOver } = choice;
    const others = passedOver.length === 0 ? '' : ` (not ${describeRefusals(passedOver)})`;
    process.stderr.write(`fettle: sandbox ${backend.name}${others}\n`);
    if (backend.warning) process.stderr.write(`fettle: ${backend.warning}\n`);
    await clearLeftovers(backend);
    return choice.sandbox;
  }
  const reasons = describeRefusals(choice.refusals);
  throw new CliError('no_sandbox', `no sandbox is available (${reasons})`, {
    exitCode: exitCodes.unavailable,
    advice: "Run 'fettle doctor' to see what is missing.",
  });
}

/** A killed command cannot clean up, and a worker that would do it may never start here. */
async function clearLeftovers(backend: Backend): Promise<void> {
  try {
    await backend.clearLeftovers();
  } catch (error) {
    process.stderr.write(`fettle: an earlier sandbox could not be removed: ${(error as Error).message}\n`);
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
