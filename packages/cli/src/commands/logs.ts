import { type Event, isSettled } from '@fettle/contract';
import { type ExitCode, exitCodes } from '../cli-error.ts';
import { fettleCommand } from '../process/fettle-command.ts';
import { createTeller, followOperation, tellOutcome } from '../server/follow-operation.ts';
import { look } from '../server/with-server.ts';
import { printJson } from '../view/print-json.ts';
import { openTerminal } from '../view/terminal.ts';

/** The stream does not say where the past ends; a pause this long does. */
const firstPauseMs = 5_000;
const pauseMs = 400;

export interface LogsOptions {
  follow?: boolean;
  json?: boolean;
  color: boolean;
}

export async function logs(id: string, { follow, json, color }: LogsOptions): Promise<ExitCode> {
  return look(async ({ client, config, signal, tellStandstill }) => {
    const terminal = openTerminal(process.stdout, { color });
    const tell = json ? printJson : createTeller(terminal);
    const pause = listenForPause();
    const onEvent = (event: Event) => {
      pause.heard();
      tell(event);
    };
    tellStandstill([await client.get(id)]);
    const until = follow ? signal : AbortSignal.any([signal, pause.signal]);
    const operation = await followOperation({ client, operationId: id, onEvent, signal: until });
    pause.end();
    terminal.setStatus(undefined);
    if (!json && isSettled(operation.state))
      await tellOutcome({ client, operation, terminal, fettle: fettleCommand(config), signal });
    return signal.aborted ? exitCodes.interrupted : exitCodes.done;
  });
}

function listenForPause() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, firstPauseMs);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(abort, pauseMs);
    },
    end: () => clearTimeout(timer),
  };
}
