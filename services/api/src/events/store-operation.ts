import { FettleError, isEnded } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { type Database, isDatabaseAway, isInvalidData } from '@fettle/database';
import { closeStream, markStored, type Redis, readEvents } from '@fettle/queue';
import { ZodError } from 'zod';
import type { EventTail } from './event-tail.ts';

export interface Stores {
  database: Database;
  redis: Redis;
  tail: EventTail;
}

const batchSize = 500;

/** Moves one operation's events from Redis to the database, then shows them to followers: a visible event is a stored event. */
export async function storeOperation({ database, redis, tail }: Stores, operationId: string): Promise<void> {
  for (;;) {
    // The stream holds unstored events. The database ignores those that it has already.
    const { events, keys } = await readWaiting(redis, operationId);
    await database.events.append(operationId, events, keys).catch(classifyFailure);
    crashPoint('events-stored');
    tail.publish(operationId, events);
    await markStored(redis, operationId, events.at(-1)?.position ?? 0);
    const last = events.at(-1);
    if (last?.type === 'operation.settled' && isEnded(last.state)) await closeStream(redis, operationId);
    if (events.length < batchSize) return;
  }
}

/** Postgres answers, but fails for these events for an unknown reason. A retry may succeed. */
class UnexpectedStoreError extends Error {
  override name = 'UnexpectedStoreError';
}

function classifyFailure(error: Error): never {
  if (isDatabaseAway(error) || isUnstorable(error)) throw error;
  if (isInvalidData(error)) throw new FettleError('conflict', `Postgres rejects an event: ${error.message}`);
  throw new UnexpectedStoreError(error.message, { cause: error });
}

/** Whether the failure concerns only the events of this operation, and not Postgres or Redis as a whole. */
export function isEventFailure(error: unknown): error is Error {
  return isUnstorable(error) || error instanceof UnexpectedStoreError;
}

/** Returns false for events that cannot be stored. The background loop logs those. */
export async function storeIfPossible(stores: Stores, operationId: string): Promise<boolean> {
  try {
    await storeOperation(stores, operationId);
    return true;
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    return false;
  }
}

/** The events are unreadable, rejected, or do not follow the last stored one. */
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
