/** What is going on in an operation, in one line, and how long it was in each state: both from its record. */
import type { Event, Operation, OperationDetail, State } from '@fettle/contract';
import { isSettled } from '@fettle/contract';
import type { Database } from '@fettle/database';

export async function describeOperation(database: Database, operation: Operation): Promise<OperationDetail> {
  const [changes, [last]] = await Promise.all([
    database.events.listOfType(operation.id, 'operation.state'),
    database.events.listLast(operation.id, 1),
  ]);
  const moves = changes.flatMap((event) =>
    event.type === 'operation.state' ? [{ state: event.to, since: event.at }] : [],
  );
  const history = timeStates([{ state: 'queued', since: operation.createdAt }, ...moves], new Date());
  return { ...operation, activity: describeActivity(operation, last, new Date()), history };
}

function timeStates(entered: { state: State; since: string }[], now: Date): OperationDetail['history'] {
  return entered.map(({ state, since }, index) => {
    const next = entered[index + 1]?.since;
    const until = next === undefined ? now.getTime() : Date.parse(next);
    return { state, since, seconds: Math.max(0, until - Date.parse(since)) / 1000 };
  });
}

export function describeActivity(operation: Operation, last: Event | undefined, now: Date): string {
  const { state, waitsFor, outcome, attempts } = operation;
  const name = state.replaceAll('_', ' ');
  if (waitsFor !== null) return `${name}: waits for ${waitsFor}`;
  if (isSettled(state)) {
    const why = outcome && 'message' in outcome ? outcome.message : undefined;
    return why === undefined ? name : `${name}: ${firstLine(why)}`;
  }
  const seconds = last ? Math.max(0, Math.round((now.getTime() - Date.parse(last.at)) / 1000)) : 0;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
  return `${name}${tries}: ${describeStep(last)}, for ${seconds} s`;
}

function describeStep(last: Event | undefined): string {
  switch (last?.type) {
    case 'part.started':
      return `part ${last.part.number}, ${last.part.tool}`;
    case 'part.finished':
      return `after part ${last.part.number}`;
    case 'turn.started':
      return `the model thinks (turn ${last.turn})`;
    case 'turn.finished':
      return `turn ${last.turn} is answered`;
    case 'turn.retried':
      return `waits for the model, try ${last.retry + 1}: ${firstLine(last.message)}`;
    case 'check.finished':
      return `${last.check.name} ${last.check.ok ? 'passed' : 'failed'}`;
    case 'workspace.ready':
      return 'the workspace is ready';
    case 'proposal.committed':
      return `pushes ${last.branch}`;
    default:
      return 'at work';
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
