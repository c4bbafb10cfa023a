import type { Database } from '@fettle/database';
import type { Logger } from 'pino';
import type { Outbox } from './outbox.ts';

export interface WatchOptions {
  database: Database;
  outbox: Outbox;
  log: Logger;
  everyMs: number;
}

/** Ends operations whose worker is gone, at the start and from time to time, and says which. */
export function watchLeases({ database, outbox, log, everyMs }: WatchOptions): { stop(): void } {
  async function look(): Promise<void> {
    try {
      const ended = await database.operations.endAbandoned();
      if (ended.length === 0) return;
      log.warn({ operations: ended }, 'operations ended whose worker is gone');
      await outbox.flush();
    } catch (error) {
      log.warn({ error }, 'leases could not be looked at; they will be again');
    }
  }
  void look();
  const timer = setInterval(look, everyMs);
  return { stop: () => clearInterval(timer) };
}
