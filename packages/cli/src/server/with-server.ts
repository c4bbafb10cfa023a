import { type Operation, type State, workedStates } from '@fettle/contract';
import { type Config, readConfig } from '../config.ts';
import { fettleCommand } from '../process/fettle-command.ts';
import { listenForInterrupts } from '../process/interrupts.ts';
import type { ApiClient } from './api-client.ts';
import { reachServer } from './reach-server.ts';

export interface Look {
  client: ApiClient;
  config: Config;
  signal: AbortSignal;
  /** Says it where one of these would be worked on, if a server ran; on standard error, beside the answer. */
  tellStandstill(operations: Pick<Operation, 'state'>[]): void;
}

const ongoing: readonly State[] = ['queued', ...workedStates];

/** Does something that needs a server but no worker; where none runs, one of our own lives for that long. */
export async function look<T>(work: (look: Look) => Promise<T>): Promise<T> {
  const config = readConfig();
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const { client, stack } = await reachServer({ config, purpose: 'look', signal });
  const tellStandstill = (operations: Pick<Operation, 'state'>[]) => {
    if (stack === undefined || !operations.some(({ state }) => ongoing.includes(state))) return;
    process.stderr.write(
      `fettle: no server runs: what is queued or under way stands still, and goes on with '${fettleCommand(config)} up'\n`,
    );
  };
  try {
    return await work({ client, config, signal, tellStandstill });
  } finally {
    await stack?.stop();
    interrupts.stopListening();
  }
}
