/** The branch of a cancelled operation is removed, also if it appears late, is locked, or the cleaning worker dies: a clean-up ends only with a report. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { expect, test } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { errandConversations, errandFiles } from './support/errands.ts';
import { until } from './support/observe.ts';
import { makeSlowGit } from './support/slow-git.ts';

const settings = { FETTLE_LEASE_SECONDS: '2' };
const platform = await openPlatform({ conversations: errandConversations, settings, workers: 0 });
const repository = openRepository(errandFiles);

const branches = () =>
  repository
    .git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/agent')
    .split('\n')
    .filter(Boolean);

const expectNoBranch = () => expect.poll(branches, { timeout: 60_000 }).toEqual([]);

/** An operation that has pushed, lost its worker, and not ended. */
async function pushAndDie(description: string): Promise<{ id: string; branch: string; commit: string }> {
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'after-push' });
  const { id } = await platform.create(repository.request('fix', description));
  await doomed.exited;
  const [branch = '', commit = ''] = branches()[0]?.split(' ') ?? [];
  return { id, branch, commit };
}

async function cancel(id: string): Promise<void> {
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
}

test('a branch that appears after the first check', async () => {
  const { id, branch, commit } = await pushAndDie('mend for soak-1');
  await cancel(id);
  const worker = await platform.startWorker();
  await expectNoBranch();
  repository.git('branch', branch, commit);
  await expectNoBranch();
  await worker.kill();
});

test('a branch that is locked for a while', async () => {
  const { id, branch } = await pushAndDie('mend for soak-2');
  const lock = join(repository.path, '.git/refs/heads', `${branch}.lock`);
  writeFileSync(lock, '');
  await cancel(id);
  const worker = await platform.startWorker();
  await expect.poll(() => worker.log(), { timeout: 30_000 }).toContain('could not remove a branch yet');
  rmSync(lock);
  await expectNoBranch();
  await worker.kill();
});

test('the cleaning worker is killed, and Redis loses its data', async () => {
  const { id } = await pushAndDie('mend for soak-3');
  await cancel(id);
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'leftovers-known' });
  await doomed.exited;
  expect(branches()).toHaveLength(1);
  const redis = connectRedis(platform.redis.url);
  await redis.flushall();
  redis.disconnect();
  const worker = await platform.startWorker();
  await expectNoBranch();
  await worker.kill();
});

test('a running push ends with its killed worker', async () => {
  const slow = makeSlowGit('before', 60);
  const doomed = await platform.startWorker({ PATH: slow.path });
  const request = repository.request('fix', 'mend for soak-4');
  const { id } = await platform.create(request);
  await until('a push', () => existsSync(slow.reached));
  const pushes = () => findProcesses(dirname(slow.reached)).map(({ command }) => command);
  expect(pushes()).not.toEqual([]);
  await doomed.kill();
  await expect.poll(pushes, { timeout: 10_000 }).toEqual([]);
  await cancel(id);
  expect(branches()).toEqual([]);
});
