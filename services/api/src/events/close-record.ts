import { type EventBody, interruptPart, isEnded } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { appendEvents, quarantineStream, sealStream } from '@fettle/queue';
import { type Stores, storeIfPossible } from './store-operation.ts';

const endedOutput =
  'This call was interrupted: the operation ended before the call finished. Its file changes were discarded.';

/** The first of the events that end an operation, whether a worker, a person or a time limit ends it. */
export function isEnd(event: EventBody): boolean {
  return event.type === 'operation.state' && isEnded(event.to);
}

/**
 * Prepares the end of an operation: workers can no longer append to its record, and running calls are recorded as
 * interrupted. Idempotent. `entry` is the outbox entry of the end itself.
 */
export async function closeRecord(
  stores: Stores,
  { id: entry, operationId }: { id: number; operationId: string },
): Promise<void> {
  const { database, redis } = stores;
  await sealStream(redis, operationId, await database.events.lastPosition(operationId));
  crashPoint('record-sealed');
  // The stream is sealed: the worker will never finish parts that are still open.
  if (!(await storeIfPossible(stores, operationId))) {
    // Events that were delivered before the end are quarantined too. Their entries would be delivered again after it.
    await database.outbox.dropEventsBefore(operationId, entry);
    await quarantineStream(redis, operationId, await database.events.lastPosition(operationId));
  }
  const open = await database.events.listOpenParts(operationId);
  if (open.length === 0) return;
  const events = open.map((part): EventBody => {
    return { type: 'part.finished', part: interruptPart(part, endedOutput) };
  });
  await appendEvents(redis, operationId, events, { key: 'interrupted' });
  crashPoint('parts-interrupted');
}
