/** From a request to a settled operation, with somebody watching who may lose patience. */
import { type Event, isSettled, type Operation, type State } from '@fettle/contract';
import type { CliError } from '../cli-error.ts';
import type { Stack } from '../stack/start-stack.ts';
import { copyable } from '../view/line.ts';
import type { Terminal } from '../view/terminal.ts';
import type { ApiClient } from './api-client.ts';
import { createTeller, followOperation, tellOutcome } from './follow-operation.ts';

export interface WorkOptions {
  client: ApiClient;
  /** The stack that ends with this command; absent when a server does the work. */
  stack: Stack | undefined;
  operation: Operation;
  /** Where the work is told as it goes on; nowhere when it is absent. */
  view: Terminal | undefined;
  /** Where a person learns what an interrupt did. */
  terminal: Terminal;
  fettle: string;
  signal: AbortSignal;
}

export async function waitForOutcome(options: WorkOptions): Promise<Operation> {
  const { client, stack, view, terminal, fettle, signal } = options;
  const { id } = options.operation;
  try {
    const onEvent = view ? createTeller(view) : createNoticeTeller(terminal);
    // There it waits for a person, and that may take days.
    const stopAt: State[] = ['awaiting_plan'];
    const following = followOperation({ client, operationId: id, signal, onEvent, stopAt });
    const followed = await (stack ? Promise.race([following, rejectWhen(stack.failed)]) : following);
    const operation = signal.aborted && !isSettled(followed.state) ? await leave(options) : followed;
    view?.setStatus(undefined);
    if (view && operation.state === 'awaiting_plan') tellPlanWait(options);
    if (view && isSettled(operation.state))
      await tellOutcome({ client, operation, terminal, fettle, signal });
    return operation;
  } finally {
    view?.setStatus(undefined);
  }
}

function tellPlanWait({ operation: { id }, stack, terminal, fettle }: WorkOptions): void {
  const goesOn = stack ? [[`Then '${fettle} up' goes on with it.`]] : [];
  terminal.print([
    [],
    [`${id} waits for somebody to decide about its plan:`],
    ...['--approve', '--change "…"', '--cancel'].map((word) => [
      '  ',
      copyable(`${fettle} plan ${id} ${word}`),
    ]),
    ...goesOn,
  ]);
}

/** Where the work itself is not shown, what a person has to know still is. */
function createNoticeTeller(terminal: Terminal): (event: Event) => void {
  return (event) => {
    if (event.type === 'notice') terminal.print([[event.message]]);
  };
}

async function rejectWhen(failed: Promise<CliError>): Promise<never> {
  throw await failed;
}

/** What would end with this command is cancelled; what a server works on goes on. */
async function leave({ client, stack, operation, terminal, fettle }: WorkOptions): Promise<Operation> {
  if (stack) return client.cancel(operation.id);
  terminal.setStatus(undefined);
  terminal.print([
    [`${operation.id} goes on without you.`],
    [`Follow it with: ${fettle} logs ${operation.id} --follow`],
    [`Cancel it with: ${fettle} cancel ${operation.id}`],
  ]);
  return operation;
}
