import type { Database } from '@fettle/database';
import type { Log } from '@fettle/log';
import { admitStreams, openStream, type Redis } from '@fettle/queue';

export interface AdmitOptions {
  database: Database;
  redis: Redis;
  log: Log;
}

export interface Admission {
  /** Nothing is appended to a Redis that was not compared with the database. */
  admit(): Promise<void>;
  /** Rises whenever Redis may have lost what it was given. */
  count(): number;
}

/** Of a Redis that lost everything, each one would be told. */
const shownOperations = 20;

/**
 * A Redis that comes back may hold less than Postgres: with positions that were given out before, new events would
 * be taken for old ones. So nothing is appended to it before every stream goes on where Postgres ends.
 */
export function createAdmission({ database, redis, log }: AdmitOptions): Admission {
  let admitting: Promise<void> | undefined;
  let comparisons = 0;

  async function compare(): Promise<void> {
    comparisons += 1;
    const behind: string[] = [];
    for (const { id, position, fence } of await database.operations.listStreams()) {
      const lost = await openStream(redis, id, { position, fence });
      if (lost > 0) behind.push(id);
    }
    if (behind.length > 0)
      log.warn(
        { operations: behind.length, operationIds: behind.slice(0, shownOperations) },
        'Redis lost events that are stored; the records go on after them',
      );
  }

  async function admit(): Promise<void> {
    while (!(await admitStreams(redis, compare)));
  }

  return {
    admit: () => {
      admitting ??= admit().finally(() => {
        admitting = undefined;
      });
      return admitting;
    },
    count: () => comparisons,
  };
}
