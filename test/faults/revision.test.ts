/** SIGKILL of the worker at steps of a revision: one more commit on the branch, once, and the same pull request. */
import { rmSync } from 'node:fs';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { findPaidTwice } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';

/** Turns 1 and 2 are the first proposal. */
const points = [
  ...['claimed', 'answered:3', 'tool-ran:3', 'verified:1', 'commit-recorded', 'after-push'],
  ...['after-pull-request', 'before-settle'],
];

const write = (content: string) => turn(call('write_file', { path: 'NOTES.md', content }));
// The second write repeats the first, as an agent does after a call that was interrupted.
const revised = conversation('revised', [
  repairSum,
  turn(say('Add up')),
  ...[write('as asked\n'), write('as asked\n'), turn(say('Write a note'))],
]);
const platform = await openPlatform({ conversations: [revised], settings: { FETTLE_LEASE_SECONDS: '3' } });
const repository = openRepository(brokenSum);

interface Revised {
  description: string;
  id: string;
  number: number;
}

async function proposeAll(): Promise<Revised[]> {
  const created = [];
  for (const index of points.keys()) {
    const description = `revised, number ${index}`;
    const { id } = await platform.create(repository.request('fix', description));
    created.push({ description, id });
  }
  return Promise.all(
    created.map(async (each) => {
      const { operation } = await expectProposal(platform, repository, each.id);
      return { ...each, number: proposalOf(operation).pullRequest.number };
    }),
  );
}

const askFor = (id: string, headers: Record<string, string> = {}) =>
  platform.call('POST', `/v1/operations/${id}/request-changes`, {
    ...{ body: { message: 'write a note' }, headers },
  });

/** Each worker takes one operation and dies at its own point. Every second one loses its machine with its life. */
async function killInRevisions(operations: Revised[]): Promise<void> {
  const homes = points.map((_, index) => (index % 2 === 1 ? openFolder('fettle-machine') : undefined));
  const doomed = await Promise.all(
    points.map((point, index) => {
      const home = homes[index];
      return platform.startWorker({
        ...{ FETTLE_TEST_CRASH: point, FETTLE_CONCURRENCY: '1', FETTLE_WORKER_NAME: point },
        ...(home !== undefined && { FETTLE_HOME: home }),
      });
    }),
  );
  for (const { id } of operations) expect((await askFor(id)).status).toBe(200);
  const ends = await Promise.all(doomed.map(({ exited }) => exited));
  expect(ends.map(({ signal }) => signal)).toEqual(points.map(() => 'SIGKILL'));
  for (const home of homes) if (home !== undefined) rmSync(home, { recursive: true, force: true });
}

test('killed at any point, a revision ends as if nothing had happened', async () => {
  const operations = await proposeAll();
  await platform.worker.kill();
  await killInRevisions(operations);
  const healthy = await Promise.all([platform.startWorker(), platform.startWorker()]);
  for (const { id, description, number } of operations) {
    const { operation, events } = await expectProposal(platform, repository, id, { times: 2 });
    const { branch, pullRequest, proof } = proposalOf(operation);
    expect({ id, number: pullRequest.number, proof }).toEqual({ id, number, proof: 'proven' });
    const subjects = repository.git('log', '--format=%s', `main..${branch}`).split('\n');
    expect({ id, subjects }).toEqual({ id, subjects: ['Write a note', 'Add up'] });
    expect(findPaidTwice(platform.rehearsal.requests(), description, events)).toEqual([]);
  }
  await Promise.all(healthy.map(({ kill }) => kill()));
});

test('killed after it accepted the request for changes, the api starts the revision once', async () => {
  const worker = await platform.startWorker();
  const { operation } = await platform.run(repository.request('fix', 'the api dies'));
  await platform.api.stop();
  const doomed = await platform.startApi({ FETTLE_TEST_CRASH: 'revision-started' });
  const ask = () => askFor(operation.id, { 'idempotency-key': 'once' });
  await expect(ask()).rejects.toThrow();
  expect(await doomed.exited).toMatchObject({ signal: 'SIGKILL' });
  await platform.startApi();
  expect((await ask()).status).toBe(200);
  const { operation: after } = await expectProposal(platform, repository, operation.id, { times: 2 });
  expect(after.revision).toBe(2);
  await worker.kill();
});
