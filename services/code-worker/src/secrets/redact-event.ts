import type { EventBody, EventType } from '@fettle/contract';
import type { Redaction } from '@fettle/secrets';

/**
 * The record of what the model saw and said is kept as it is, masked before it was shown or not at all; the api takes
 * secrets out of what people see of it. Keys of the installation stay out of it in any case.
 */
const conversation: EventType[] = [
  'turn.started',
  'turn.finished',
  'part.started',
  'part.finished',
  'conversation.compacted',
];

export function redactEvent({ record, value }: Redaction, event: EventBody): EventBody {
  return conversation.includes(event.type) ? record(event) : value(event);
}
