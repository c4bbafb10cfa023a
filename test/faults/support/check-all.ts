/**
 * Reads database, git and queue of an installation in which nothing is to do any more, and says what is not as it
 * must be, whatever happened before. By hand: node test/faults/check-all.ts --help
 */
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Event, isSettled, type Operation, type ReasonCode } from '@fettle/contract';
import { connectRedis } from '@fettle/queue';
import { startRedis } from '@fettle/queue/redis';
import { git } from '../../support/repository.ts';
import { findDatabaseFaults } from './check-database.ts';
import { findProposalFaults, findRecordFaults } from './check-operation.ts';
import { findQueueFaults } from './check-queue.ts';
import { openRecords, type Records, type RecordsPlace } from './records.ts';

export interface CheckOptions {
  /** Reasons for which an operation may have failed, or fallen short of what was asked for. */
  explained?: ReasonCode[];
  /** How many answers the model gave for an operation; not checked where nobody counted. */
  paidFor?: (operation: Operation) => number | undefined;
  /** FETTLE_HOME, to see what was left there. */
  home?: string | undefined;
}

export interface Checked {
  operations: number;
  states: Record<string, number>;
  faults: string[];
}

export async function checkAll(
  place: RecordsPlace & { redisUrl: string },
  options: CheckOptions,
): Promise<Checked> {
  const records = await openRecords(place);
  const redis = connectRedis(place.redisUrl);
  try {
    const operations = await records.listOperations();
    const faults = [
      ...(await findDatabaseFaults(records)),
      ...(await findQueueFaults(redis, new Set(operations.map(({ id }) => id)))),
      ...(options.home === undefined ? [] : findRemains(options.home)),
    ];
    for (const operation of operations)
      faults.push(...(await findOperationFaults(records, operation, options)));
    for (const url of new Set([...records.repositories.values()]))
      faults.push(...findStrayBranches(url, operations));
    const states = operations.map(({ state }) => state);
    return { operations: operations.length, states: countEach(states), faults };
  } finally {
    redis.disconnect();
    await records.close();
  }
}

async function findOperationFaults(
  records: Records,
  operation: Operation,
  options: CheckOptions,
): Promise<string[]> {
  const events = await records.listEvents(operation.id);
  const url = records.repositories.get(operation.id);
  const repository = { git: (...args: string[]) => git(url ?? '', ...args) };
  return [
    ...findEndFaults(operation, options.explained ?? []),
    ...findRecordFaults(operation, events),
    ...(url === undefined ? [] : findProposalFaults(operation, events, repository)),
    ...findPaymentFaults(operation, events, options.paidFor?.(operation)),
  ];
}

const goodEnds = ['awaiting_approval', 'answered', 'unchanged'];

function findEndFaults({ id, state, outcome }: Operation, explained: ReasonCode[]): string[] {
  if (!isSettled(state) || outcome === null) return [`${id}: is ${state}, which is no end`];
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  const isExplained = reason === undefined || reason === 'cancelled' || explained.includes(reason);
  if (!isExplained) return [`${id}: ended ${state} for ${reason}: ${JSON.stringify(outcome)}`];
  const isCancelled = state === 'cancelled' && (reason === 'cancelled' || outcome.kind === 'proposal');
  const isFailed = state === 'failed' && reason !== undefined && reason !== 'cancelled';
  if (goodEnds.includes(state) || isCancelled || isFailed) return [];
  return [`${id}: is ${state} with ${JSON.stringify(outcome)}`];
}

/** Each lost attempt and each failed try may have lost one answer. */
function findPaymentFaults({ id, state }: Operation, events: Event[], paid: number | undefined): string[] {
  if (paid === undefined) return [];
  const count = (type: Event['type']) => events.filter((event) => event.type === type).length;
  const onRecord = count('turn.finished');
  const cutShort = count('attempt.started') - (goodEnds.includes(state) ? 1 : 0);
  const most = onRecord + count('turn.retried') + cutShort;
  return paid > most
    ? [`${id}: ${paid} answers were paid for, ${onRecord} are on record, at most ${most}`]
    : [];
}

function findStrayBranches(url: string, operations: Operation[]): string[] {
  const owned = new Set(
    operations.flatMap(({ outcome }) => (outcome?.kind === 'proposal' ? [outcome.branch] : [])),
  );
  const branches = git(url, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/agent').split('\n');
  return branches.flatMap((branch) =>
    branch === '' || owned.has(branch) ? [] : [`${url}: ${branch} belongs to no proposal`],
  );
}

/** Sandboxes and locks that were left behind. */
function findRemains(home: string): string[] {
  const sandboxes = list(join(home, 'sandboxes')).filter((name) => name.startsWith('sandbox-'));
  const mirrors = join(home, 'mirrors');
  const locks = list(mirrors, { recursive: true }).filter((name) => name.endsWith('.lock'));
  return [
    ...sandboxes.map((name) => `the sandbox ${name} was left behind`),
    ...locks.map((name) => `the lock ${join(mirrors, name)} was left behind`),
  ];
}

function list(folder: string, options: { recursive?: boolean } = {}): string[] {
  return existsSync(folder) ? readdirSync(folder, options).map(String) : [];
}

function countEach(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const help = `Checks an installation in which nothing is to do any more.

  node test/faults/check-all.ts --home DIR              an embedded one that is stopped
  node test/faults/check-all.ts --database-url URL --redis-url URL [--home DIR]

  --explained a,b   reasons for which an operation may have failed
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      home: { type: 'string' },
      'database-url': { type: 'string' },
      'redis-url': { type: 'string' },
      explained: { type: 'string', default: '' },
      help: { type: 'boolean' },
    },
  });
  const { home, 'database-url': databaseUrl, 'redis-url': redisUrl } = values;
  const isComplete = home !== undefined || (databaseUrl !== undefined && redisUrl !== undefined);
  if (values.help || !isComplete) {
    process.stdout.write(help);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const tools = join(homedir(), '.fettle');
  const redis =
    redisUrl === undefined
      ? await startRedis({ home: tools, folder: join(home ?? '', 'redis'), fsync: 'everysec' })
      : { url: redisUrl, stop: async () => {} };
  try {
    const explained = values.explained.split(',').filter(Boolean) as ReasonCode[];
    const place = databaseUrl === undefined ? { home: home ?? '' } : { databaseUrl };
    const checked = await checkAll({ ...place, redisUrl: redis.url }, { explained, home });
    process.stdout.write(`${JSON.stringify(checked, null, 2)}\n`);
    process.exitCode = checked.faults.length === 0 ? 0 : 3;
  } finally {
    await redis.stop();
  }
}

if (process.argv[1] === import.meta.filename) await main();
