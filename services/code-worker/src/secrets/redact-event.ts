import type { EventBody, EventType } from '@fettle/contract';
import type { Redaction } from '@fettle/secrets';

/**
 * The conversation is recorded as the model saw it, masked or not: a resumed attempt needs it unchanged, and the api
 * redacts what people see of it. The installation's own keys are removed in any case.
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
