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
  point: string;
  description: string;
  id: string;
  number: number;
}

async function proposeAll(): Promise<Revised[]> {
  const created = [];
  for (const point of points) {
    const description = `killed at ${point}`;
    const { id } = await platform.create(repository.request('fix', description));
    created.push({ point, description, id });
  }
  return Promise.all(
    created.map(async (each) => {
      const { operation } = await expectProposal(platform, repository, each.id);
      return { ...each, number: proposalOf(operation).pullRequest.number };
    }),
  );
}

/** Every second worker loses its machine with its life. */
async function killInRevision({ id, point }: Revised, losesMachine: boolean): Promise<void> {
  const home = losesMachine ? openFolder('fettle-machine') : undefined;
  const doomed = await platform.startWorker({
    ...{ FETTLE_TEST_CRASH: point, FETTLE_CONCURRENCY: '1' },
    ...(home !== undefined && { FETTLE_HOME: home }),
  });
  const body = { message: 'write a note' };
  const response = await platform.call('POST', `/v1/operations/${id}/request-changes`, { body });
  expect(response.status).toBe(200);
  expect({ point, ...(await doomed.exited) }).toMatchObject({ point, signal: 'SIGKILL' });
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
}

test('killed at any point, a revision ends as if nothing had happened', async () => {
  const operations = await proposeAll();
  await platform.worker.kill();
  for (const [index, operation] of operations.entries()) {
    await killInRevision(operation, index % 2 === 1);
    const healthy = await platform.startWorker();
    const { id, point, description, number } = operation;
    const { operation: after, events } = await expectProposal(platform, repository, id, { times: 2 });
    await healthy.kill();
    const { branch, pullRequest, proof } = proposalOf(after);
    expect({ point, number: pullRequest.number, proof }).toEqual({ point, number, proof: 'proven' });
    const subjects = repository.git('log', '--format=%s', `main..${branch}`).split('\n');
    expect({ point, subjects }).toEqual({ point, subjects: ['Write a note', 'Add up'] });
    expect(findPaidTwice(platform.rehearsal.requests(), description, events)).toEqual([]);
  }
});

test('killed after it accepted the request for changes, the api starts the revision once', async () => {
  const worker = await platform.startWorker();
  const { operation } = await platform.run(repository.request('fix', 'the api dies'));
  await platform.api.stop();
  const doomed = await platform.startApi({ FETTLE_TEST_CRASH: 'revision-started' });
  const ask = () =>
    platform.call('POST', `/v1/operations/${operation.id}/request-changes`, {
      ...{ body: { message: 'write a note' }, headers: { 'idempotency-key': 'once' } },
    });
  await expect(ask()).rejects.toThrow();
  expect(await doomed.exited).toMatchObject({ signal: 'SIGKILL' });
  await platform.startApi();
  expect((await ask()).status).toBe(200);
  const { operation: after } = await expectProposal(platform, repository, operation.id, { times: 2 });
  expect(after.revision).toBe(2);
  await worker.kill();
});
