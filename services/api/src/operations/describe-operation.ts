/** Describes the current activity of an operation in one line, and how long it was in each state, from its record. */
import type { Event, Operation, OperationDetail, State } from '@fettle/contract';
import { isSettled, workedStates } from '@fettle/contract';
import type { Database } from '@fettle/database';

/** Enough to find the running call among all calls of one answer. */
const recentEvents = 50;
const maxDenials = 100;

export async function describeOperation(database: Database, operation: Operation): Promise<OperationDetail> {
  const [changes, ready, ended, latest, denials] = await Promise.all([
    database.events.listOfType(operation.id, 'operation.state'),
    database.events.listOfType(operation.id, 'workspace.ready'),
    database.events.listOfType(operation.id, 'revision.ended'),
    database.events.listLast(operation.id, recentEvents),
    database.denials.list(operation.id, maxDenials),
  ]);
  const moves = changes.flatMap((event) =>
    event.type === 'operation.state' ? [{ state: event.to, since: event.at }] : [],
  );
  const history = timeStates([{ state: 'queued', since: operation.createdAt }, ...moves], new Date());
  const newest = ready.at(-1);
  const model = (newest?.type === 'workspace.ready' && newest.model) || null;
  const endedRevisions = ended.flatMap((event) =>
    event.type === 'revision.ended' ? [{ revision: event.revision, outcome: event.outcome }] : [],
  );
  const activity = describeActivity(operation, latest, new Date());
  return { ...operation, model, activity, history, endedRevisions, denials };
}

export interface Delivery {
  outbox: { isBlocked(operationId: string): boolean };
  redisWatch: { fault(): string | undefined };
  workers: { whyNoneWorks(): string | undefined };
}

/** An operation whose job or events cannot be delivered waits for that, whatever its row says. */
export function addDeliveryProblem(
  operation: Operation,
  { outbox, redisWatch, workers }: Delivery,
): Operation {
  const { id, state } = operation;
  const isWorked = (workedStates as readonly State[]).includes(state);
  if ((isWorked || state === 'queued') && redisWatch.fault() !== undefined)
    return { ...operation, waitsFor: `Redis, which ${redisWatch.fault()}` };
  if (state !== 'queued') return operation;
  if (outbox.isBlocked(id))
    return { ...operation, waitsFor: 'its job, which cannot be delivered (see the log of the api)' };
  const why = workers.whyNoneWorks();
  return why === undefined ? operation : { ...operation, waitsFor: `a worker; ${why}` };
}

function timeStates(entered: { state: State; since: string }[], now: Date): OperationDetail['history'] {
  return entered.map(({ state, since }, index) => {
    const next = entered[index + 1]?.since;
    const until = next === undefined ? now.getTime() : Date.parse(next);
    return { state, since, seconds: Math.max(0, until - Date.parse(since)) / 1000 };
  });
}

/** `latest` holds the last events, newest first. */
export function describeActivity(operation: Operation, latest: Event[], now: Date): string {
  const { state, waitsFor, outcome, attempts } = operation;
  const name = state.replaceAll('_', ' ');
  if (waitsFor !== null) return `${name}: waits for ${waitsFor}`;
  if (isSettled(state)) {
    const why = findEndMessage(latest, state) ?? ownMessage(outcome);
    return why === undefined ? name : `${name}: ${firstLine(why)}`;
  }
  // Messages from people are not activity.
  const ofAttempt = sinceAttempt(latest).filter(({ type }) => type !== 'message.said');
  const last = findOpenCall(ofAttempt) ?? ofAttempt[0];
  const seconds = last ? Math.max(0, Math.round((now.getTime() - Date.parse(last.at)) / 1000)) : 0;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : '';
  return `${name}${tries}: ${describeStep(last)}, for ${seconds} s`;
}

/** A cancelled proposal stays the outcome, so only the state change says who cancelled it. */
function findEndMessage(latest: Event[], state: State): string | undefined {
  const end = latest.find((event) => event.type === 'operation.state');
  return end?.type === 'operation.state' && end.to === state ? end.message : undefined;
}

/** The message of a proposal explains why it is a draft, not why the operation ended. */
function ownMessage(outcome: Operation['outcome']): string | undefined {
  return outcome && outcome.kind !== 'proposal' && 'message' in outcome ? outcome.message : undefined;
}

/** Calls of earlier attempts are not running any more. */
function sinceAttempt(latest: Event[]): Event[] {
  const start = latest.findIndex(({ type }) => type === 'attempt.started');
  return start === -1 ? latest : latest.slice(0, start + 1);
}

/** The first call that has started and not finished. The newest event may be the end of the answer that requested it. */
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
      return `waits for the model (turn ${last.turn})`;
    case 'turn.finished':
      return `turn ${last.turn} answered`;
    case 'turn.retried':
      return `waits for the model, try ${last.retry + 1}: ${firstLine(last.message)}`;
    case 'review.finished':
      return 'the review is finished';
    case 'conversation.compacted':
      return `the conversation was compacted (turn ${last.turn})`;
    case 'check.finished':
      return `${last.check.name} ${last.check.status.replaceAll('_', ' ')}${last.phase === 'base' ? ' before the change' : ''}`;
    case 'workspace.ready':
      return 'the workspace is ready';
    case 'proposal.committed':
      return `pushes ${last.branch}`;
    default:
      return 'working';
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
