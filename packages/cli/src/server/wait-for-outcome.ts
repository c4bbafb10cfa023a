/** Waits for a new operation to settle, and handles Ctrl-C on the way. */
import { type Event, isSettled, type Operation, type State } from '@fettle/contract';
import type { CliError } from '../cli-error.ts';
import type { Stack } from '../stack/start-stack.ts';
import { copyable } from '../view/line.ts';
import type { Terminal } from '../view/terminal.ts';
import type { ApiClient } from './api-client.ts';
import { createEventPrinter, followOperation, printOutcome } from './follow-operation.ts';

export interface WorkOptions {
  client: ApiClient;
  /** The server that ends with this command. Undefined if another server does the work. */
  stack: Stack | undefined;
  operation: Operation;
  /** Where events are printed. Undefined to print only notices. */
  view: Terminal | undefined;
  /** Where notices and the effect of an interrupt are printed. */
  terminal: Terminal;
  fettle: string;
  signal: AbortSignal;
}

export async function waitForOutcome(options: WorkOptions): Promise<Operation> {
  const { client, stack, view, terminal, fettle, signal } = options;
  const { id } = options.operation;
  try {
    const onEvent = view ? createEventPrinter(view) : createNoticePrinter(terminal);
    // A person has to approve the plan, which may take days.
    const stopAt: State[] = ['awaiting_plan'];
    const following = followOperation({ client, operationId: id, signal, onEvent, stopAt });
    const followed = await (stack ? Promise.race([following, rejectWhen(stack.failed)]) : following);
    const operation = signal.aborted && !isSettled(followed.state) ? await leave(options) : followed;
    view?.setStatus(undefined);
    if (view && operation.state === 'awaiting_plan') printPlanCommands(options);
    if (view && isSettled(operation.state))
      await printOutcome({ client, operation, terminal, fettle, signal });
    return operation;
  } finally {
    view?.setStatus(undefined);
  }
}

function printPlanCommands({ operation: { id }, stack, terminal, fettle }: WorkOptions): void {
  const next = stack ? [[`Then start the server to continue: ${fettle} up`]] : [];
  terminal.print([
    [],
    [`${id} waits for a decision on its plan:`],
    ...['--approve', '--change "…"', '--cancel'].map((option) => [
      '  ',
      copyable(`${fettle} plan ${id} ${option}`),
    ]),
    ...next,
  ]);
}

/** Prints only notices, for --json. */
function createNoticePrinter(terminal: Terminal): (event: Event) => void {
  return (event) => {
    if (event.type === 'notice') terminal.print([[event.message]]);
  };
}

async function rejectWhen(failed: Promise<CliError>): Promise<never> {
  throw await failed;
}

/** Cancels the operation if its server ends with this command. Another server continues it. */
async function leave({ client, stack, operation, terminal, fettle }: WorkOptions): Promise<Operation> {
  if (stack) return client.cancel(operation.id);
  terminal.setStatus(undefined);
  terminal.print([
    [`${operation.id} is still running on the server.`],
    [`Follow it with: ${fettle} logs ${operation.id} --follow`],
    [`Cancel it with: ${fettle} cancel ${operation.id}`],
  ]);
  return operation;
}
