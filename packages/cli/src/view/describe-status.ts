import type { Event } from '@fettle/contract';
import { mainArgument } from './describe-part.ts';
import { harmlessLine } from './harmless.ts';

/** The status line after this event. Undefined if it does not change. */
export function describeStatus(event: Event): string | undefined {
  switch (event.type) {
    case 'operation.created':
      return 'queued';
    case 'operation.state':
      return event.to.replaceAll('_', ' ');
    case 'turn.started':
      return `turn ${event.turn}: the model is thinking`;
    case 'turn.retried':
      return `turn ${event.turn}: waiting for the model`;
    case 'part.started':
      return `${harmlessLine(event.part.tool)} ${mainArgument(event.part.input)}`.trimEnd();
    default:
      return undefined;
  }
}
