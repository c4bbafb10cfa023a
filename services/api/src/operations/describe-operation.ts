/** What is going on in an operation, in one line, and how long it was in each state: both from its record. */
import type { Event, Operation, OperationDetail, State } from '@fettle/contract';
import { isSettled, workedStates } from '@fettle/contract';
import type { Database } from '@fettle/database';

/** Enough to find the call that is under way, among those that the same answer asked for. */
const looksBack = 50;
const maxDenials = 100;

export async function describeOperation(database: Database, operation: Operation): Promise<OperationDetail> {
  const [changes, latest, denials] = await Promise.all([
    database.events.listOfType(operation.id, 'operation.state'),
    database.events.listLast(operation.id, looksBack),
    database.denials.list(operation.id, maxDenials),
  ]);
  const moves = changes.flatMap((event) =>
    event.type === 'operation.state' ? [{ state: event.to, since: event.at }] : [],
  );
  const history = timeStates([{ state: 'queued', since: operation.createdAt }, ...moves], new Date());
  return { ...operation, activity: describeActivity(operation, latest, new Date()), history, denials };
}

export interface Delivery {
  outbox: { isHeld(operationId: string): boolean };
  redisWatch: { fault(): string | undefined };
}

/** Where its job or its record cannot be delivered, that is what it waits for, whatever the table says. */
export function tellDelivery(operation: Operation, { outbox, redisWatch }: Delivery): Operation {
  const { id, state } = operation;
  const isWorked = (workedStates as readonly State[]).includes(state);
  if ((isWorked || state === 'queued') && redisWatch.fault() !== undefined)
    return { ...operation, waitsFor: `Redis, which ${redisWatch.fault()}` };
  if (state !== 'queued' || !outbox.isHeld(id)) return operation;
  return { ...operation, waitsFor: 'its job, which cannot be delivered: the log of the api says why' };
}

function timeStates(entered: { state: State; since: string }[], now: Date): OperationDetail['history'] {
  return entered.map(({ state, since }, index) => {
    const next = entered[index + 1]?.since;
    const until = next === undefined ? now.getTime() : Date.parse(next);
    return { state, since, seconds: Math.max(0, until - Date.parse(since)) / 1000 };
  });
}

/** `latest` are the last events, the newest first. */
export function describeActivity(operation: Operation, latest: Event[], now: Date): string {
  const { state, waitsFor, outcome, attempts } = operation;
  const name = state.replaceAll('_', ' ');
  if (waitsFor !== null) return `${name}: waits for ${waitsFor}`;
  if (isSettled(state)) {
    const why = findEndMessage(latest, state) ?? ownMessage(outcome);
    return why === undefined ? name : `${name}: ${firstLine(why)}`;
  }
  // What people say meanwhile is not what goes on.
  const ofAttempt = sinceAttempt(latest).filter(({ type }) => type !== 'message.said');
  const last = findOpenCall(ofAttempt) ?? ofAttempt[0];
  const seconds = last ? Math.max(0, Math.round((now.getTime() - Date.parse(last.at)) / 1000)) : 0;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
  return `${name}${tries}: ${describeStep(last)}, for ${seconds} s`;
}

/** A proposal that was cancelled stays the outcome: only the change of state says by whom. */
function findEndMessage(latest: Event[], state: State): string | undefined {
  const end = latest.find((event) => event.type === 'operation.state');
  return end?.type === 'operation.state' && end.to === state ? end.message : undefined;
}

/** What a proposal has to say is why it is a draft, and not why it ended. */
function ownMessage(outcome: Operation['outcome']): string | undefined {
  return outcome && outcome.kind !== 'proposal' && 'message' in outcome ? outcome.message : undefined;
}

/** A call that an earlier attempt began is not under way any more. */
function sinceAttempt(latest: Event[]): Event[] {
  const start = latest.findIndex(({ type }) => type === 'attempt.started');
  return start === -1 ? latest : latest.slice(0, start + 1);
}

/** The first call that was started and has not finished: the newest event may be the end of the answer that asked for it. */
function findOpenCall(latest: Event[]): Event | undefined {
  const finished = new Set(
    latest.flatMap((event) => (event.type === 'part.finished' ? [event.part.number] : [])),
  );
  return latest.findLast((event) => event.type === 'part.started' && !finished.has(event.part.number));
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
    case 'review.finished':
      return 'the change is reviewed';
    case 'conversation.compacted':
      return `made room in the conversation (turn ${last.turn})`;
    case 'check.finished':
      return `${last.check.name} ${last.check.ok ? 'passed' : 'failed'}${last.phase === 'base' ? ' before the change' : ''}`;
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
