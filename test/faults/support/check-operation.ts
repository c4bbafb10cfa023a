/** What must be true of every operation, whatever happened to the processes that worked on it. */
import { type Event, isEnded, isSettled, mayFollow, type Operation } from '@fettle/contract';

/** All faults of an operation that ended: those of its record and those of what it left in the repository. */
export const findFaults = (operation: Operation, events: Event[], repository: Git): string[] => [
  ...findRecordFaults(operation, events),
  ...findProposalFaults(operation, events, repository),
];

/** The faults of a record, each as a sentence. */
export function findRecordFaults(operation: Operation, events: Event[]): string[] {
  return [
    ...findOrderFaults(events),
    ...findStateFaults(operation, events),
    ...findPartFaults(events),
    ...findTurnFaults(events),
    ...findTotalsFaults(operation, events),
  ].map((fault) => `${operation.id}: ${fault}`);
}

function findOrderFaults(events: Event[]): string[] {
  return events.flatMap(({ position }, index) =>
    position === index + 1 ? [] : [`event ${position} stands at place ${index + 1}`],
  );
}

function findStateFaults(operation: Operation, events: Event[]): string[] {
  const faults: string[] = [];
  let state: Operation['state'] = 'queued';
  for (const event of events) {
    if (event.type === 'operation.state') {
      if (event.from !== state) faults.push(`it moved from ${event.from} when it was ${state}`);
      if (!mayFollow(event.from, event.to)) faults.push(`${event.to} may not follow ${event.from}`);
      state = event.to;
    }
  }
  if (state !== operation.state) faults.push(`its record ends ${state}, and it is ${operation.state}`);
  const created = events.filter(({ type }) => type === 'operation.created');
  if (created.length !== 1) faults.push(`it was created ${created.length} times`);
  faults.push(...findSettledFaults(events));
  if (isEnded(operation.state) && events.at(-1)?.type !== 'operation.settled')
    faults.push(`it ended, and its record goes on with ${events.at(-1)?.type}`);
  const opened = findAllOpened(events).length;
  const revisions = events.filter(({ type }) => type === 'revision.started').length + 1;
  if (opened > revisions) faults.push(`it proposed ${opened} times in ${revisions} revisions`);
  return faults;
}

/** Once for each settled state, right after the operation entered it. A proposal can be cancelled later. */
function findSettledFaults(events: Event[]): string[] {
  const settled = events.filter(({ type }) => type === 'operation.settled');
  if (settled.length === 0) return ['it was settled 0 times'];
  const ends = events.filter((event) => event.type === 'operation.state' && isSettled(event.to));
  if (settled.length !== ends.length)
    return [`it was settled ${settled.length} times, and came to ${ends.length} states that settle it`];
  return events.flatMap((event, index) => {
    if (event.type !== 'operation.settled') return [];
    const before = events[index - 1];
    const follows = before?.type === 'operation.state' && before.to === event.state;
    return follows ? [] : [`it was settled as ${event.state} and had not just come to that`];
  });
}

function findPartFaults(events: Event[]): string[] {
  const faults: string[] = [];
  const started = new Map<number, number>();
  const finished = new Map<number, number>();
  for (const event of events) {
    if (event.type === 'part.started') count(started, event.part.number);
    if (event.type !== 'part.finished') continue;
    const { number, kind } = event.part;
    count(finished, number);
    if (kind === 'tool' && !started.has(number)) faults.push(`part ${number} finished before it started`);
  }
  for (const [number, times] of started) {
    if (times > 1) faults.push(`part ${number} started ${times} times`);
    if (!finished.has(number)) faults.push(`part ${number} never finished`);
  }
  for (let number = 1; number <= Math.max(0, ...finished.keys()); number++) {
    const times = finished.get(number) ?? 0;
    if (times !== 1) faults.push(`part ${number} finished ${times} times`);
  }
  return faults;
}

function findTurnFaults(events: Event[]): string[] {
  const turns = events.flatMap((event) => (event.type === 'turn.finished' ? [event.turn] : []));
  const inOrder = turns.every((turn, index) => turn === index + 1);
  return inOrder ? [] : [`its turns are ${turns.join(', ')}`];
}

const workedToEnd = ['awaiting_approval', 'answered', 'unchanged'];

/** The totals of an operation match its record. A stopped worker may have known of more. */
function findTotalsFaults({ state, totals }: Operation, events: Event[]): string[] {
  if (!workedToEnd.includes(state)) return [];
  const parts = events.flatMap((event) => ('part' in event ? [event.part.number] : []));
  const told = events.flatMap((event) => ('totals' in event && event.totals ? [event.totals] : []));
  const recorded = told.at(-1) ?? { turns: 0, tokens: 0 };
  const failed = events.flatMap((event) => (event.type === 'turn.failed' ? [event.turn] : []));
  const faults: string[] = [];
  const lastPart = Math.max(0, ...parts);
  if (totals.parts !== lastPart)
    faults.push(`it counts ${totals.parts} parts, and ${lastPart} are on record`);
  if (totals.turns < recorded.turns || totals.turns > Math.max(recorded.turns, ...failed))
    faults.push(`it counts ${totals.turns} turns, and ${recorded.turns} are on record`);
  if (totals.tokens !== recorded.tokens)
    faults.push(`it counts ${totals.tokens} tokens, and ${recorded.tokens} are on record`);
  return faults;
}

function count(numbers: Map<number, number>, number: number): void {
  numbers.set(number, (numbers.get(number) ?? 0) + 1);
}

export interface Git {
  git(...args: string[]): string;
}

const findAllOpened = (events: Event[]) => events.filter(({ type }) => type === 'proposal.opened');

/** An operation with a proposal left one branch with one commit on the base, and one more for each revision. */
export function findProposalFaults(operation: Operation, events: Event[], repository: Git): string[] {
  const { outcome, id } = operation;
  const branches = branchesOf(repository, id);
  if (outcome?.kind !== 'proposal') {
    return branches.length === 0 ? [] : [`${id}: is ${operation.state} and left ${branches.join(', ')}`];
  }
  const base = events.find((event) => event.type === 'workspace.ready');
  const baseCommit = base?.type === 'workspace.ready' ? base.baseCommit : '';
  const faults: string[] = [];
  if (branches.join() !== outcome.branch) faults.push(`its branches are ${branches.join(', ') || 'none'}`);
  const tip = tryGit(repository, 'rev-parse', `refs/heads/${outcome.branch}`);
  if (tip !== outcome.headCommit) faults.push(`its branch is at ${tip}, not at ${outcome.headCommit}`);
  let before = baseCommit;
  for (const event of events) {
    if (event.type === 'branch.followed') before = event.commit;
    if (event.type !== 'proposal.opened') continue;
    const parents = tryGit(repository, 'rev-list', '--parents', '-n1', event.headCommit);
    if (parents !== `${event.headCommit} ${before}`)
      faults.push(`${event.headCommit} does not follow ${before}`);
    before = event.headCommit;
  }
  if (before !== outcome.headCommit) faults.push(`its last commit is ${before}, not ${outcome.headCommit}`);
  return faults.map((fault) => `${id}: ${fault}`);
}

function branchesOf(repository: Git, operationId: string): string[] {
  const all = repository.git(
    'for-each-ref',
    '--format=%(refname:short) %(contents:trailers:key=Fettle-Operation,valueonly,separator=)',
    'refs/heads',
  );
  return all.split('\n').flatMap((line) => {
    const [branch = '', operation] = line.split(' ');
    return operation === operationId ? [branch] : [];
  });
}

function tryGit(repository: Git, ...args: string[]): string {
  try {
    return repository.git(...args);
  } catch (error) {
    return `(${(error as Error).message.split('\n')[0]})`;
  }
}

/** How many answers of the model an operation got. */
export function countAnswers(requests: { outcome: string; body: unknown }[], words: string): number {
  return asked(requests, words).length;
}

interface Asked {
  outcome: string;
  body: unknown;
  receivedAtMs: number;
}

/** Answers that were requested, and so paid for, although they were recorded already. */
export function findPaidTwice(requests: Asked[], words: string, events: Event[]): string[] {
  const recordedAt = new Map<number, number>();
  // Events know the millisecond they came in: what was asked for and answered within it is not asked for again.
  for (const event of events)
    if (event.type === 'turn.finished') recordedAt.set(event.turn, Date.parse(event.at) + 1);
  return asked(requests, words).flatMap(({ body, receivedAtMs }) => {
    const { messages } = body as { messages: { role: string }[] };
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const lateMs = receivedAtMs - (recordedAt.get(turn) ?? Number.POSITIVE_INFINITY);
    return lateMs > 0 ? [`turn ${turn} was asked for ${lateMs} ms after its answer was on record`] : [];
  });
}

function asked<Request extends Pick<Asked, 'outcome' | 'body'>>(
  requests: Request[],
  words: string,
): Request[] {
  return requests.filter(
    ({ outcome, body }) => outcome === 'answered' && JSON.stringify(body).includes(`${words}\\n`),
  );
}
