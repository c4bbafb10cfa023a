/** What a cancelled operation pushed is taken away again, also when the worker that pushed it is dead. */
import type { OperationDetail } from '@fettle/contract';
import { connectRedis } from '@fettle/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { findProposalFaults, findRecordFaults } from './support/check-operation.ts';
import { errandConversations, errandFiles } from './support/errands.ts';

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  const settings = { FETTLE_LEASE_SECONDS: '2' };
  platform = await startPlatform({ conversations: errandConversations, settings, workers: 0 });
  repository = makeRepository(errandFiles);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

test.each(['after-push', 'after-pull-request', 'before-settle'])(
  'killed %s, then cancelled',
  async (point) => {
    const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: point });
    const request = {
      kind: 'fix' as const,
      description: `mend for soak-1 ${point}`,
      repository: repository.path,
    };
    const { id } = await platform.create(request);
    await doomed.exited;
    expect(branches()).toHaveLength(1);
    expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
    const worker = await platform.startWorker();
    await expect.poll(branches, { timeout: 60_000 }).toEqual([]);
    const operation: OperationDetail = await platform.get(id);
    const events = await platform.follow(id);
    expect([
      ...findRecordFaults(operation, events),
      ...findProposalFaults(operation, events, repository),
    ]).toEqual([]);
    expect(operation).toMatchObject({
      state: 'cancelled',
      outcome: { kind: 'failure', reason: 'cancelled' },
    });
    await worker.kill();
  },
);

test('a Redis that loses the clean-up job: the reconcile puts it back', async () => {
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'after-push' });
  const description = 'mend for soak-1 and lose Redis';
  const { id } = await platform.create({ kind: 'fix', description, repository: repository.path });
  await doomed.exited;
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
  await platform.follow(id);
  const redis = connectRedis(platform.redis.url);
  await redis.flushall();
  redis.disconnect();
  // Its reconcile comes two seconds after the start; that of the one before, within a minute.
  await platform.api.kill();
  await platform.startApi();
  expect(branches()).toHaveLength(1);
  const worker = await platform.startWorker();
  await expect.poll(branches, { timeout: 60_000 }).toEqual([]);
  await worker.kill();
});

const branches = () =>
  repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/agent').split('\n').filter(Boolean);
