import type { Database } from '@fettle/database';
import type { Log } from '@fettle/log';
import { admitStreams, openStream, type Redis } from '@fettle/queue';

export interface AdmitOptions {
  database: Database;
  redis: Redis;
  log: Log;
}

/** Of a Redis that lost everything, each one would be told. */
const shownOperations = 20;

/**
 * A Redis that comes back may hold less than Postgres: with positions that were given out before, new events would
 * be taken for old ones. So nothing is appended to it before every stream goes on where Postgres ends.
 */
export function createAdmission({ database, redis, log }: AdmitOptions): () => Promise<void> {
  let admitting: Promise<void> | undefined;

  async function compare(): Promise<void> {
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

  return () => {
    admitting ??= admit().finally(() => {
      admitting = undefined;
    });
    return admitting;
  };
}
