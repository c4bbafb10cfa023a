import type { Event, EventBody } from '@fettle/contract';

/** An event with a fixed operation and time. */
export function eventAt(body: EventBody, position = 1): Event {
  return { operationId: 'op_1', position, at: '2026-11-16T10:00:00.000Z', ...body };
}
