import { FettleError, isEnded } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { type Database, isDatabaseAway, isUnfit } from '@fettle/database';
import { closeStream, markStored, type Redis, readEvents } from '@fettle/queue';
import { ZodError } from 'zod';
import type { EventTail } from './event-tail.ts';

export interface Stores {
  database: Database;
  redis: Redis;
  tail: EventTail;
}

const batchSize = 500;

/** Carries one operation's events into the database, then shows them to followers: seen means stored. */
export async function storeOperation({ database, redis, tail }: Stores, operationId: string): Promise<void> {
  for (;;) {
    // The stream holds what is not stored yet; what is stored in spite of that is left out by the database.
    const { events, keys } = await readWaiting(redis, operationId);
    await database.events.append(operationId, events, keys).catch(nameTrouble);
    crashPoint('events-stored');
    tail.publish(operationId, events);
    await markStored(redis, operationId, events.at(-1)?.position ?? 0);
    const last = events.at(-1);
    if (last?.type === 'operation.settled' && isEnded(last.state)) await closeStream(redis, operationId);
    if (events.length < batchSize) return;
  }
}

/** Postgres is there and fails at these events, nobody knows why: it may pass. */
class NotStored extends Error {
  override name = 'NotStored';
}

function nameTrouble(error: Error): never {
  if (isDatabaseAway(error) || isUnstorable(error)) throw error;
  if (isUnfit(error)) throw new FettleError('conflict', `Postgres does not take an event: ${error.message}`);
  throw new NotStored(error.message, { cause: error });
}

/** Whether it is one operation's events that are in trouble, and not Postgres or Redis: all others can be gone on with. */
export function isOwnTrouble(error: unknown): error is Error {
  return isUnstorable(error) || error instanceof NotStored;
}

/** False for a record that cannot be stored, of which who stores in the background tells. */
export async function storeIfPossible(stores: Stores, operationId: string): Promise<boolean> {
  try {
    await storeOperation(stores, operationId);
    return true;
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    return false;
  }
}

/** What is wrong with one operation's events, and not with Postgres or Redis: unreadable, or not what comes next. */
function isUnstorable(error: unknown): error is FettleError {
  return error instanceof FettleError;
}

async function readWaiting(redis: Redis, operationId: string): ReturnType<typeof readEvents> {
  try {
    return await readEvents(redis, operationId, 0, batchSize);
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
    throw new FettleError('conflict', `An event of ${operationId} cannot be read: ${error.message}`);
  }
}
