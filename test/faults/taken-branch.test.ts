/** A branch with the wanted name that belongs to a person or another operation is not changed. */
import type { OperationDetail, RequestInput } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { findProposalFaults } from './support/check-operation.ts';
import { errandFiles } from './support/errands.ts';

/** Changes something each time, also on top of its own change. */
const command = "echo 'sum 5' > sum.txt; node --test >> docs/guide.md";
const conversations = [conversation('mend', [turn(call('run_command', { command })), turn(say('Mended'))])];

const settings = { FETTLE_LEASE_SECONDS: '2' };
const platform = await openPlatform({ conversations, settings, workers: 0 });
const repository = openRepository(errandFiles);

const request = (description: string): RequestInput => repository.request('fix', description);

const heads = () =>
  repository.git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads').split('\n');

/** The worker dies after the push, and the operation is cancelled and cleaned up. */
async function pushAndCancel(asked: RequestInput): Promise<OperationDetail> {
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'after-push' });
  const before = heads();
  const { id } = await platform.create(asked);
  await doomed.exited;
  expect(heads()).toEqual(expect.arrayContaining(before));
  expect(heads()).toHaveLength(before.length + 1);
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
  const worker = await platform.startWorker();
  await expect.poll(heads, { timeout: 60_000 }).toEqual(before);
  await worker.kill();
  return platform.get(id);
}

test("a person's branch, behind the commit", async () => {
  repository.git('branch', 'agent/PROJ-1-mend-it');
  expect(await pushAndCancel(request('PROJ-1 mend it'))).toMatchObject({ state: 'cancelled' });
});

test('the branch of another operation, which is the base', async () => {
  const worker = await platform.startWorker();
  const { operation, events } = await platform.run(request('PROJ-2 mend it'));
  await worker.kill();
  const baseBranch = 'agent/PROJ-2-mend-it';
  expect(operation).toMatchObject({ outcome: { kind: 'proposal', branch: baseBranch } });
  await pushAndCancel({ ...request('PROJ-2 mend it'), baseBranch });
  expect(findProposalFaults(operation, events, repository)).toEqual([]);
});
