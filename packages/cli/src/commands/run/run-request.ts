import type { Operation } from '@fettle/contract';
import { CliError, type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { fettleCommand } from '../../process/fettle-command.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { type ReachOptions, reachServer } from '../../server/reach-server.ts';
import { waitForOutcome } from '../../server/wait-for-outcome.ts';
import { tellChildEnd } from '../../view/print-child-exit.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { buildRequest, type RunOptions } from './build-request.ts';
import { exitCodeOf, toRunResult } from './run-result.ts';

export interface RunCommandOptions extends RunOptions {
  idempotencyKey?: string;
  follow?: boolean;
  json?: boolean;
  color: boolean;
}

export async function run(kind: string, words: string[], options: RunCommandOptions): Promise<ExitCode> {
  const { json = false, follow = false } = options;
  const request = buildRequest(kind, words, options);
  const config = readConfig();
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  const fettle = fettleCommand(config);
  // With --json, standard output is for the result alone.
  const terminal = openTerminal(json ? process.stderr : process.stdout, { color: options.color });
  const view = !json || follow ? terminal : undefined;

  const onStart = () => view?.setStatus('starting Fettle');
  const onChildEnd: ReachOptions['onChildEnd'] = (error, pauseMs) => tellChildEnd(terminal, error, pauseMs);
  const reaching = reachServer({ config, purpose: 'work', signal, onStart, onChildEnd });
  const { client, stack } = await reaching.finally(() => view?.setStatus(undefined));
  let operation: Operation | undefined;
  try {
    operation = await client.create(request, options.idempotencyKey);
    if (!stack && !follow && !json) {
      terminal.print([[operation.id], [`Follow it with: ${fettle} logs ${operation.id} --follow`]]);
      return exitCodes.done;
    }
    operation = await waitForOutcome({ client, stack, operation, view, terminal, fettle, signal });
    if (json) printJson(toRunResult(operation));
    return signal.aborted ? exitCodes.interrupted : exitCodeOf(operation);
  } catch (error) {
    // From here on the caller can be told which operation it was.
    if (!json || !operation || !(error instanceof CliError)) throw error;
    printJson(toRunResult(operation, error));
    return error.exitCode;
  } finally {
    await stack?.stop();
    stopListening();
  }
}
