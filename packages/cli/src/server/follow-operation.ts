import type { Event, Operation, State } from '@fettle/contract';
import { describeEvent } from '../view/describe-event.ts';
import { describeEffort, describeOutcome } from '../view/describe-outcome.ts';
import { describeStatus } from '../view/describe-status.ts';
import type { Terminal } from '../view/terminal.ts';
import type { ApiClient } from './api-client.ts';
import { followEvents } from './follow-events.ts';
import { patiently } from './retry-while-away.ts';

export interface FollowOperationOptions {
  client: ApiClient;
  operationId: string;
  onEvent?(event: Event): void;
  /** Beside those in which it is settled. */
  stopAt?: State[];
  signal: AbortSignal;
}

/** Waits until nothing more happens by itself, and gives the operation as it is then. */
export async function followOperation(options: FollowOperationOptions): Promise<Operation> {
  const { client, operationId, onEvent, stopAt = [], signal } = options;
  for await (const event of followEvents({ server: client.server, operationId, signal })) {
    onEvent?.(event);
    const state =
      event.type === 'operation.state' ? stopAt.find((each) => each === event.to) : stateAtEnd(event);
    if (state === undefined) continue;
    const operation = await patiently(() => client.get(operationId), signal);
    // It may have gone on since: events of long ago come one after the other.
    if (operation.state === state) return operation;
  }
  return patiently(() => client.get(operationId), signal);
}

function stateAtEnd(event: Event): State | undefined {
  return event.type === 'operation.settled' ? event.state : undefined;
}

/** Tells each event; a notice that was told once is not told again by the next attempt or sandbox. */
export function createTeller(terminal: Terminal): (event: Event) => void {
  const noticed = new Set<string>();
  return (event) => {
    const status = describeStatus(event);
    if (status !== undefined) terminal.setStatus(status);
    if (event.type === 'notice' && noticed.has(event.message)) return;
    if (event.type === 'notice') noticed.add(event.message);
    terminal.print(describeEvent(event, terminal.width()));
  };
}

export interface TellOutcomeOptions {
  client: ApiClient;
  operation: Operation;
  terminal: Terminal;
  fettle: string;
  signal: AbortSignal;
}

export async function tellOutcome({
  client,
  operation,
  terminal,
  fettle,
  signal,
}: TellOutcomeOptions): Promise<void> {
  const { outcome } = operation;
  const pullRequest =
    outcome?.kind === 'proposal'
      ? await patiently(() => client.pullRequest(outcome.pullRequest.url), signal)
      : undefined;
  const width = terminal.width();
  terminal.print([
    [],
    ...describeOutcome({ operation, pullRequest, fettle, width }),
    [],
    describeEffort(operation),
  ]);
}
