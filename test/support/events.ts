/** What tests read from the events and the outcome of an operation. */
import type { Event, Operation } from '@fettle/contract';

export function ofType<Type extends Event['type']>(events: Event[], type: Type) {
  return events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
}

export const statesOf = (events: Event[]) => ofType(events, 'operation.state').map(({ to }) => to);

/** The finished tool calls, of all tools or of one. */
export const toolParts = (events: Event[], tool?: string) =>
  ofType(events, 'part.finished').flatMap(({ part }) =>
    part.kind === 'tool' && (tool === undefined || part.tool === tool) ? [part] : [],
  );

export const toolOutputs = (events: Event[]) =>
  toolParts(events).map(({ status, output }) => `${status}: ${output}`);

export const checksOf = (events: Event[]) =>
  ofType(events, 'check.finished').map(({ phase, check }) => `${phase} ${check.status}`);

/** What the user messages of the turns said. */
export const userMessages = (events: Event[]) =>
  ofType(events, 'turn.started').flatMap(({ told }) => (told ? [told] : []));

export function proposalOf({ outcome }: Pick<Operation, 'outcome'>) {
  if (outcome?.kind !== 'proposal') throw new Error(`no proposal: ${JSON.stringify(outcome)}`);
  return outcome;
}
