import type { Operation } from '@fettle/contract';
import { CliError, type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig, withModel } from '../../config.ts';
import { fettleCommand } from '../../process/fettle-command.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { type ReachOptions, reachServer } from '../../server/reach-server.ts';
import { waitForOutcome } from '../../server/wait-for-outcome.ts';
import { printChildExit } from '../../view/print-child-exit.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { buildRequest, type RunOptions } from './build-request.ts';
import { checkFiles } from './check-files.ts';
import { readDescription } from './read-description.ts';
import { exitCodeOf, toRunResult } from './run-result.ts';

export interface RunCommandOptions extends RunOptions {
  idempotencyKey?: string;
  follow?: boolean;
  json?: boolean;
  color: boolean;
}

export async function runRequest(
  kind: string,
  description: string[],
  options: RunCommandOptions,
): Promise<ExitCode> {
  const { json = false, follow = false } = options;
  const general = readConfig();
  const given = { ...options, defaultRepo: general.repository };
  const request = buildRequest(kind, await readDescription(description), given);
  const config = withModel(general, request.model);
  await checkFiles(request, config);
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  const fettle = fettleCommand(config);
  // With --json, standard output contains only the result.
  const terminal = openTerminal(json ? process.stderr : process.stdout, { color: options.color });
  const view = !json || follow ? terminal : undefined;

  const onStart = () => view?.setStatus('starting Fettle');
  const onChildExit: ReachOptions['onChildExit'] = (error, pauseMs) =>
    printChildExit(terminal, error, pauseMs);
  const purpose = kind === 'ask' ? 'answer' : 'change';
  const reaching = reachServer({ config, purpose, signal, onStart, onChildExit });
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
    // The result can name the operation, which the error alone cannot.
    if (!json || !operation || !(error instanceof CliError)) throw error;
    printJson(toRunResult(operation, error));
    return error.exitCode;
  } finally {
    await stack?.stop();
    stopListening();
  }
}
