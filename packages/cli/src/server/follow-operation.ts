import type { Event, Operation, State } from '@fettle/contract';
import { describeEvent, describeStatus } from '../view/describe-event.ts';
import { describeEffort, describeOutcome } from '../view/describe-outcome.ts';
import type { Terminal } from '../view/terminal.ts';
import type { ApiClient } from './api-client.ts';
import { followEvents } from './follow-events.ts';
import { retryWhileAway } from './retry-while-away.ts';

export interface FollowOperationOptions {
  client: ApiClient;
  operationId: string;
  onEvent?(event: Event): void;
  /** Also return in these states, besides the settled ones. */
  stopAt?: State[];
  signal: AbortSignal;
}

/** Follows an operation until it is settled or reaches a state of `stopAt`, and returns it as it is then. */
export async function followOperation(options: FollowOperationOptions): Promise<Operation> {
  const { client, operationId, onEvent, stopAt = [], signal } = options;
  let revision = 1;
  for await (const event of followEvents({ server: client.server, operationId, signal })) {
    onEvent?.(event);
    if (event.type === 'revision.started') revision = event.revision;
    const state =
      event.type === 'operation.state' ? stopAt.find((each) => each === event.to) : stateAtEnd(event);
    if (state === undefined) continue;
    const operation = await retryWhileAway(() => client.get(operationId), signal);
    // Old events are replayed: the operation may have left that state since, and a later revision may have reached it again.
    if (operation.state === state && operation.revision === revision) return operation;
  }
  return retryWhileAway(() => client.get(operationId), signal);
}

function stateAtEnd(event: Event): State | undefined {
  return event.type === 'operation.settled' ? event.state : undefined;
}

/** Prints each event. A notice that the next attempt or sandbox repeats is printed once. */
export function createEventPrinter(terminal: Terminal): (event: Event) => void {
  const printed = new Set<string>();
  return (event) => {
    const status = describeStatus(event);
    if (status !== undefined) terminal.setStatus(status);
    if (event.type === 'notice' && printed.has(event.message)) return;
    if (event.type === 'notice') printed.add(event.message);
    terminal.print(describeEvent(event, terminal.width()));
  };
}

export interface PrintOutcomeOptions {
  client: ApiClient;
  operation: Operation;
  terminal: Terminal;
  fettle: string;
  signal: AbortSignal;
}

export async function printOutcome({
  client,
  operation,
  terminal,
  fettle,
  signal,
}: PrintOutcomeOptions): Promise<void> {
  const { outcome } = operation;
  const pullRequest =
    outcome?.kind === 'proposal'
      ? await retryWhileAway(() => client.pullRequest(operation.id, outcome.pullRequest), signal)
      : undefined;
  const width = terminal.width();
  terminal.print([
    [],
    ...describeOutcome({ operation, pullRequest, fettle, width }),
    [],
    describeEffort(operation),
  ]);
}
