import { type EventBody, interruptPart, isEnded } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { appendEvents, putStreamAside, sealStream } from '@fettle/queue';
import { type Stores, storeIfPossible } from './store-operation.ts';

const endedOutput =
  'This call was interrupted: the operation ended before it was finished. Nothing that it changed in the files counts.';

/** The first of the events with which an operation ends, whoever ends it. */
export function isEnd(event: EventBody): boolean {
  return event.type === 'operation.state' && isEnded(event.to);
}

/**
 * Comes before the end of an operation: no worker adds to its record any more, and a call that was under way is on
 * record as interrupted. Doing it twice is doing it once. `entry` is the end's own, in the outbox.
 */
export async function closeRecord(
  stores: Stores,
  { id: entry, operationId }: { id: number; operationId: string },
): Promise<void> {
  const { database, redis } = stores;
  await sealStream(redis, operationId, await database.events.lastPosition(operationId));
  crashPoint('record-sealed');
  // What a worker could still say of its calls it has said: what is open now stays open.
  if (!(await storeIfPossible(stores, operationId))) {
    // What was delivered before the end is aside with the rest, and would come again after it.
    await database.outbox.dropEventsBefore(operationId, entry);
    await putStreamAside(redis, operationId, await database.events.lastPosition(operationId));
  }
  const open = await database.events.listOpenParts(operationId);
  if (open.length === 0) return;
  const events = open.map((part): EventBody => {
    return { type: 'part.finished', part: interruptPart(part, endedOutput) };
  });
  await appendEvents(redis, operationId, events, { key: 'interrupted' });
  crashPoint('parts-interrupted');
}
