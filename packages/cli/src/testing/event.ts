import type { Event, EventBody } from '@fettle/contract';

/** An event at a place in the stream, for tests that do not care which. */
export function eventAt(body: EventBody, position = 1): Event {
  return { operationId: 'op_1', position, at: '2026-11-16T10:00:00.000Z', ...body };
}
