/** The branch of a cancelled operation is removed, also if the worker that pushed it is dead. */
import type { OperationDetail } from '@fettle/contract';
import { connectRedis } from '@fettle/queue';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { findFaults } from './support/check-operation.ts';
import { errandConversations, errandFiles } from './support/errands.ts';

const settings = { FETTLE_LEASE_SECONDS: '2' };
const platform = await openPlatform({ conversations: errandConversations, settings, workers: 0 });
const repository = openRepository(errandFiles);

test.each(['after-push', 'after-pull-request', 'before-settle'])(
  'killed %s, then cancelled',
  async (point) => {
    const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: point });
    const request = repository.request('fix', `mend for soak-1 ${point}`);
    const { id } = await platform.create(request);
    await doomed.exited;
    expect(branches()).toHaveLength(1);
    expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
    const worker = await platform.startWorker();
    await expect.poll(branches, { timeout: 60_000 }).toEqual([]);
    const operation: OperationDetail = await platform.get(id);
    const events = await platform.follow(id);
    expect(findFaults(operation, events, repository)).toEqual([]);
    expect(operation).toMatchObject({
      state: 'cancelled',
      outcome: { kind: 'failure', reason: 'cancelled' },
    });
    await worker.kill();
  },
);

test('reconcile restores a clean-up job that Redis lost', async () => {
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'after-push' });
  const description = 'mend for soak-1 and lose Redis';
  const { id } = await platform.create(repository.request('fix', description));
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
