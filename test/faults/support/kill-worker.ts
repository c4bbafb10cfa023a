/** Kills the worker with SIGKILL at crash points of an operation; another worker must finish it, once. */
import { rmSync } from 'node:fs';
import type { Event, OperationDetail } from '@fettle/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFolder, openPlatform, openRepository } from '../../support/lifetime.ts';
import type { Platform } from '../../support/platform.ts';
import type { TestRepository } from '../../support/repository.ts';
import { countAnswers, findFaults, findPaidTwice } from './check-operation.ts';
import { march, walk, walkCheckpoints, walkFiles, walkParts, walkToolParts, walkTurns } from './walk.ts';

const range = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const allPoints = [
  'claimed',
  ...range(walkTurns).flatMap((turn) => [`answered:${turn}`, `answer-recorded:${turn}`]),
  ...walkToolParts.flatMap((part) => [`tool-ran:${part}`, `part-finished:${part}`]),
  ...range(walkCheckpoints).flatMap((number) => [`checkpointed:${number}`, `checkpoint-stored:${number}`]),
  ...['verified:1', 'committed', 'scanning', 'scanned', 'commit-recorded', 'before-push', 'after-push'],
  ...['before-pull-request', 'after-pull-request', 'before-settle', 'after-settle'],
];

/** One of each kind: an answer, a tool call, a commit, a push. `npm test` kills at these. */
export const representativePoints = ['answered:2', 'tool-ran:7', 'committed', 'after-push'];
/** `npm run test:all` kills at these as well. */
export const otherPoints = allPoints.filter((point) => !representativePoints.includes(point));

let platform: Platform;
let repository: TestRepository;
let wanted: { tree: string; outcome: unknown };
/** Of the pull requests. */
const numbers: number[] = [];

interface Kills {
  /** Whether each worker has a machine of its own, which is lost when the worker dies. */
  losesMachine?: boolean;
}

/** Registers the tests: six operations at a time, each with a worker that is killed at its own point. */
export function testKills(points: string[], kills: Kills = {}): void {
  beforeAll(async () => {
    platform = await openPlatform({ conversations: [walk, march], settings: { FETTLE_LEASE_SECONDS: '3' } });
    repository = openRepository(walkFiles);
    const { operation, events } = await platform.run(request('walk undisturbed'));
    expect(operation.totals).toMatchObject({ parts: walkParts, turns: walkTurns });
    wanted = { tree: treeOf(operation), outcome: { kind: 'proposal', draft: false } };
    expect(operation.outcome).toMatchObject(wanted.outcome as object);
    expect(faultsOf(operation, events)).toEqual([]);
    await platform.worker.kill();
  });

  const batches = range(Math.ceil(points.length / 6)).map((n) => points.slice((n - 1) * 6, n * 6));
  describe.each(batches.map((batch) => ({ name: batch.join(', '), batch })))(
    'killed at $name',
    ({ batch }) => {
      test('the same tree, one branch, one commit, one pull request, no answer paid for twice', () =>
        expectFinishedOnce(batch, kills));
    },
  );
}

export function expectPullRequests(count: number): void {
  expect(numbers.toSorted((a, b) => a - b)).toEqual(range(count));
}

const request = (description: string) => ({
  kind: 'fix' as const,
  description,
  repository: repository.path,
});

function treeOf({ outcome }: OperationDetail): string {
  return outcome?.kind === 'proposal' ? repository.git('rev-parse', `${outcome.headCommit}^{tree}`) : 'none';
}

function faultsOf(operation: OperationDetail, events: Event[]): string[] {
  if (operation.outcome?.kind === 'proposal') numbers.push(operation.outcome.pullRequest.number);
  return findFaults(operation, events, repository);
}

/** Each worker claims one operation and dies in it; then two healthy workers finish all of them. */
async function runBatch(
  batch: string[],
  { losesMachine = false }: Kills,
): Promise<{ point: string; operation: OperationDetail; events: Event[] }[]> {
  const machines: string[] = [];
  const newMachine = () => {
    if (!losesMachine) return {};
    const home = openFolder('fettle-machine');
    machines.push(home);
    return { FETTLE_HOME: home };
  };
  const loseMachines = () => {
    for (const home of machines.splice(0)) rmSync(home, { recursive: true, force: true });
  };
  const doomed = await Promise.all(
    batch.map((point) =>
      platform.startWorker({
        FETTLE_TEST_CRASH: point,
        FETTLE_WORKER_NAME: point,
        FETTLE_CONCURRENCY: '1',
        ...newMachine(),
      }),
    ),
  );
  const created = [];
  for (const point of batch) created.push(await platform.create(request(`walk ${point}`)));
  const ends = await Promise.all(doomed.map(({ exited }) => exited));
  expect(ends.map(({ signal }) => signal)).toEqual(batch.map(() => 'SIGKILL'));
  loseMachines();
  const healthy = await Promise.all([platform.startWorker(newMachine()), platform.startWorker(newMachine())]);
  const results = [];
  for (const { id } of created) {
    const events = await platform.follow(id);
    const first = events.find((event) => event.type === 'attempt.started');
    const point = first?.type === 'attempt.started' ? first.worker : '';
    results.push({ point, operation: await platform.get(id), events });
  }
  await Promise.all(healthy.map(({ kill }) => kill()));
  return results;
}

async function expectFinishedOnce(batch: string[], kills: Kills): Promise<void> {
  const results = await runBatch(batch, kills);
  expect(results.map(({ point }) => point).toSorted()).toEqual(batch.toSorted());
  for (const { point, operation, events } of results) {
    expect({ point, faults: faultsOf(operation, events) }).toEqual({ point, faults: [] });
    expect({ point, ...operation.outcome }).toMatchObject({ point, ...(wanted.outcome as object) });
    expect({ point, tree: treeOf(operation) }).toEqual({ point, tree: wanted.tree });
    const requests = platform.rehearsal.requests();
    const { description } = operation.request;
    expect({ point, twice: findPaidTwice(requests, description, events) }).toEqual({ point, twice: [] });
    const paid = countAnswers(requests, description);
    const onRecord = events.filter(({ type }) => type === 'turn.finished').length;
    // Only an answer that was not recorded when its worker died is requested again.
    const asked = onRecord + (point.startsWith('answered:') ? 1 : 0);
    // If a busy machine made a live worker lose its lease, one more attempt may have lost an answer.
    const most = asked + Math.max(0, operation.attempts - 2);
    expect({ point, paid: paid >= asked && paid <= most ? 'right' : paid }).toEqual({
      point,
      paid: 'right',
    });
  }
}

export async function expectMarchFinished(): Promise<void> {
  const { id } = await platform.create(request('march, with a kill after each part'));
  for (const _part of walkToolParts) {
    const worker = await platform.startWorker({ FETTLE_TEST_CRASH: 'part-finished' });
    expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
  }
  const worker = await platform.startWorker();
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  await worker.kill();
  expect(faultsOf(operation, events)).toEqual([]);
  expect(operation).toMatchObject({ attempts: walkToolParts.length + 1, totals: { parts: walkParts } });
  expect(treeOf(operation)).toBe(wanted.tree);
  expect(countAnswers(platform.rehearsal.requests(), 'march, with a kill after each part')).toBe(
    march.turns.length,
  );
}
