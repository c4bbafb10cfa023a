import { join } from 'node:path';
import { CliError, type ExitCode, exitCodes, usageError } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { fettleCommand } from '../../process/fettle-command.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { findServer } from '../../server/find-server.ts';
import { requireModelKey } from '../../server/reach-server.ts';
import { requireScanner } from '../../stack/require-scanner.ts';
import { startStack } from '../../stack/start-stack.ts';
import { harmlessLine } from '../../view/harmless.ts';
import { bold, copyable, cyan, dim, green, type Line, yellow } from '../../view/line.ts';
import { printChildExit } from '../../view/print-child-exit.ts';
import { showDuration } from '../../view/quantities.ts';
import { quoteArgument } from '../../view/shell-quote.ts';
import { openTerminal } from '../../view/terminal.ts';

export interface UpOptions {
  port?: string;
  color: boolean;
}

/** Runs Redis, api and worker until a signal arrives. */
export async function runServer(options: UpOptions): Promise<ExitCode> {
  const config = readConfig();
  const port = readPort(options.port) ?? config.port;
  const workerSettings = requireModelKey(config);
  await refuseSecondServer(config);
  await requireScanner(config);
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
    whenChildExits: 'restart',
    workerSettings,
    onChildExit: (error, pauseMs) => printChildExit(terminal, error, pauseMs),
    onSandbox(chosen) {
      if (chosen !== sandbox) terminal.print([[dim(`  sandbox: ${harmlessLine(chosen)}`)]]);
      sandbox = chosen;
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
  throw new CliError('home_in_use', `Fettle is already running at ${running.url}`, {
    exitCode: exitCodes.unavailable,
    advice: 'Use that server, or set FETTLE_HOME to another folder to run a second one.',
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
    [bold('Try a first request')],
    ['  ', copyable(`${fettle} run ask "What does this repository do?" --repo /path/to/repository --follow`)],
    [
      '  ',
      copyable(
        `curl -H "Authorization: Bearer $(cat ${quoteArgument(token)})" -H 'Content-Type: application/json' -d '${body}' ${url}/v1/operations`,
      ),
    ],
    [],
    [dim('Press Ctrl-C to stop.')],
  ];
}

function warnOfSandbox(): Line[] {
  return [
    [],
    [
      yellow(
        '! The sandbox "process" has no isolation: code from the repository runs with your permissions,',
      ),
    ],
    [yellow('  can read your files and use your network. Use it only for repositories that you trust.')],
  ];
}
