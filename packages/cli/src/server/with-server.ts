import { type Operation, type State, workedStates } from '@fettle/contract';
import { readConfig } from '../config.ts';
import { fettleCommand } from '../process/fettle-command.ts';
import { listenForInterrupts } from '../process/interrupts.ts';
import type { ApiClient } from './api-client.ts';
import { reachServer } from './reach-server.ts';

export interface ServerSession {
  client: ApiClient;
  /** The command line that starts fettle in the user's shell. */
  fettle: string;
  signal: AbortSignal;
  /** Warns on standard error if one of these operations is queued or running while no server runs. */
  warnIfStopped(operations: Pick<Operation, 'state'>[]): void;
}

const ongoing: readonly State[] = ['queued', ...workedStates];

/** Does something that needs a server but no worker. If no server runs, an api is started for that time. */
export async function withServer<T>(work: (session: ServerSession) => Promise<T>): Promise<T> {
  const config = readConfig();
  const fettle = fettleCommand(config);
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const { client, stack } = await reachServer({ config, purpose: 'look', signal });
  const warnIfStopped = (operations: Pick<Operation, 'state'>[]) => {
    if (stack === undefined || !operations.some(({ state }) => ongoing.includes(state))) return;
    process.stderr.write(
      `fettle: no server is running. Queued and running operations are paused. Start the server with '${fettle} up' to resume them.\n`,
    );
  };
  try {
    return await work({ client, fettle, signal, warnIfStopped });
  } finally {
    await stack?.stop();
    interrupts.stopListening();
  }
}
