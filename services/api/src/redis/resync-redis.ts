import type { Database } from '@fettle/database';
import type { Log } from '@fettle/log';
import { openStream, type Redis, resyncStreams } from '@fettle/queue';

export interface ResyncOptions {
  database: Database;
  redis: Redis;
  log: Log;
}

export interface RedisResync {
  /** Resyncs Redis with the database if it was restarted. Until then, Redis refuses appends. */
  ensure(): Promise<void>;
  /** Increases whenever Redis may have lost data. */
  count(): number;
}

/** A Redis that lost everything would list every operation. */
const shownOperations = 20;

/**
 * A restarted Redis may hold fewer events than Postgres. New events would get positions that are already taken. So every
 * stream is moved to the last position in Postgres before anything is appended.
 */
export function createRedisResync({ database, redis, log }: ResyncOptions): RedisResync {
  let running: Promise<void> | undefined;
  let count = 0;

  async function resync(): Promise<void> {
    count += 1;
    const behind: string[] = [];
    for (const { id, position, fence } of await database.operations.listStreams()) {
      const lost = await openStream(redis, id, { position, fence });
      if (lost > 0) behind.push(id);
    }
    if (behind.length > 0)
      log.warn(
        { operations: behind.length, operationIds: behind.slice(0, shownOperations) },
        'Redis lost events that are stored in the database; new events continue after them',
      );
  }

  async function resyncUntilComplete(): Promise<void> {
    while (!(await resyncStreams(redis, resync)));
  }

  return {
    ensure: () => {
      running ??= resyncUntilComplete().finally(() => {
        running = undefined;
      });
      return running;
    },
    count: () => count,
  };
}
