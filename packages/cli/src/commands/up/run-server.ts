import { join } from 'node:path';
import { CliError, type ExitCode, exitCodes, usageError } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { fettleCommand } from '../../process/fettle-command.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { findServer } from '../../server/find-server.ts';
import { requireModelKey } from '../../server/reach-server.ts';
import { startStack } from '../../stack/start-stack.ts';
import { harmlessLine } from '../../view/harmless.ts';
import { bold, copyable, cyan, dim, green, type Line, yellow } from '../../view/line.ts';
import { tellChildEnd } from '../../view/print-child-exit.ts';
import { showDuration } from '../../view/quantities.ts';
import { quoteArgument } from '../../view/shell-quote.ts';
import { openTerminal } from '../../view/terminal.ts';

export interface UpOptions {
  port?: string;
  color: boolean;
}

/** Runs the whole of Fettle until a signal ends it. */
export async function up(options: UpOptions): Promise<ExitCode> {
  const config = readConfig();
  const port = readPort(options.port) ?? config.port;
  const workerSettings = requireModelKey(config);
  await refuseSecondServer(config);
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  const terminal = openTerminal(process.stdout, { color: options.color });
  const startedAt = performance.now();
  let sandbox = '';
  terminal.setStatus('starting redis, api and worker');
  const stack = await startStack({
    config,
    home: config.home,
    port,
    children: ['api', 'worker'],
    whenChildEnds: 'restart',
    workerSettings,
    onChildEnd: (error, pauseMs) => tellChildEnd(terminal, error, pauseMs),
    onSandbox(taken) {
      if (taken !== sandbox) terminal.print([[dim(`  sandbox: ${harmlessLine(taken)}`)]]);
      sandbox = taken;
    },
    signal,
  }).finally(() => terminal.setStatus(undefined));
  terminal.print(describeServer(config, stack.url, performance.now() - startedAt));

  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  terminal.print([[dim('stopping …')]]);
  await stack.stop();
  terminal.print([[dim('stopped')]]);
  stopListening();
  return signal.reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.done;
}

function readPort(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw usageError(`--port takes 0 to 65535, not '${given}'.`);
  return port;
}

async function refuseSecondServer(config: Config): Promise<void> {
  const running = await findServer({ ...config, url: undefined });
  if (!running) return;
  throw new CliError('home_in_use', `Fettle is running already, at ${running.url}`, {
    exitCode: exitCodes.unavailable,
    advice: 'Use that one, or set FETTLE_HOME to another folder for a second one.',
  });
}

function describeServer(config: Config, url: string, durationMs: number): Line[] {
  const token = join(config.home, 'admin-token');
  const fettle = fettleCommand(config);
  const body = `{"kind":"ask","description":"What does this repository do?","repository":"/path/to/repository"}`;
  return [
    [green('✓ '), bold('Fettle is up at '), cyan(url), dim(`  ${showDuration(durationMs)}`)],
    [dim(`  token: ${token}    logs: ${join(config.home, 'logs')}`)],
    ...(config.sandbox === 'process' ? warnOfSandbox() : []),
    [],
    [bold('A first request')],
    ['  ', copyable(`${fettle} run ask "What does this repository do?" --repo /path/to/repository --follow`)],
    [
      '  ',
      copyable(
        `curl -H "Authorization: Bearer $(cat ${quoteArgument(token)})" -H 'Content-Type: application/json' -d '${body}' ${url}/v1/operations`,
      ),
    ],
    [],
    [dim('Ctrl-C stops it.')],
  ];
}

function warnOfSandbox(): Line[] {
  return [
    [],
    [
      yellow(
        '! The sandbox is "process": what a repository runs has no isolation. It runs with your rights,',
      ),
    ],
    [
      yellow(
        '  can read your files and use your network. Let Fettle work on repositories that you trust only.',
      ),
    ],
  ];
}
