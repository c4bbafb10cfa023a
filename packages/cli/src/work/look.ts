import type { ApiClient } from '../client/api-client.ts';
import { type Config, readConfig } from '../config.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { reachServer } from './reach-server.ts';

export interface Look {
  client: ApiClient;
  config: Config;
  signal: AbortSignal;
}

/** Does something that needs a server but no worker; where none runs, one of our own lives for that long. */
export async function look<T>(work: (look: Look) => Promise<T>): Promise<T> {
  const config = readConfig();
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const { client, stack } = await reachServer({ config, purpose: 'look', signal });
  try {
    return await work({ client, config, signal });
  } finally {
    await stack?.stop();
    interrupts.stopListening();
  }
}
