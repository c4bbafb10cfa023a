import type { Event } from '@fettle/contract';
import { Command } from 'commander';
import { exitCodes } from '../cli-error.ts';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { printJson } from '../view/print-json.ts';
import { openTerminal } from '../view/terminal.ts';

/** The stream does not mark where the past ends. Without --follow, a pause of this length is taken as the end. */
const firstPauseMs = 5_000;
const pauseMs = 1_000;

interface LogsOptions {
  follow?: boolean;
  json?: boolean;
  color: boolean;
}

export function logsCommand(): Command {
  return new Command('logs')
    .argument(...idArgument)
    .description('Print the events of an operation.')
    .option('--follow', 'continue until the operation has ended')
    .option('--json', 'print one event per line, as JSON')
    .addHelpText('after', '\nExample:\n  fettle logs op_01kxv3c9m2t8w4r6yq --follow')
    .action((id: string, _options, command: Command) => logs(id, command.optsWithGlobals()));
}

async function logs(given: string, { follow, json, color }: LogsOptions): Promise<void> {
  const { isSettled } = await import('@fettle/contract');
  const { followEvents } = await import('../server/follow-events.ts');
  const { createEventPrinter, followOperation, printOutcome } = await import('../server/follow-operation.ts');
  const { withServer } = await import('../server/with-server.ts');
  await withServer(async ({ client, fettle, signal, warnIfStopped }) => {
    const id = await resolveId(client, given);
    const terminal = openTerminal(process.stdout, { color });
    const print = json ? printJson : createEventPrinter(terminal);
    warnIfStopped([await client.get(id)]);
    // Not before: the timer would keep the command from exiting if the operation does not exist.
    const silence = listenForSilence();
    const onEvent = (event: Event) => {
      silence.reset();
      print(event);
    };
    if (follow) await followOperation({ client, operationId: id, onEvent, signal });
    else {
      const until = AbortSignal.any([signal, silence.signal]);
      for await (const event of followEvents({ server: client.server, operationId: id, signal: until }))
        onEvent(event);
    }
    silence.stop();
    const operation = await client.get(id);
    terminal.setStatus(undefined);
    if (!json && isSettled(operation.state))
      await printOutcome({ client, operation, terminal, fettle, signal });
    if (signal.aborted) process.exitCode = exitCodes.interrupted;
  });
}

function listenForSilence() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, firstPauseMs);
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = setTimeout(abort, pauseMs);
    },
    stop: () => clearTimeout(timer),
  };
}
