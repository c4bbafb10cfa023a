/** What a cancelled operation pushed goes, also when it comes late, is held fast, or the one who cleans up dies: a clean-up is done when that is reported. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { errandConversations, errandFiles } from './support/errands.ts';
import { until } from './support/observe.ts';
import { makeSlowGit } from './support/slow-git.ts';

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

const branches = () =>
  repository
    .git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/agent')
    .split('\n')
    .filter(Boolean);

const expectNoBranch = () => expect.poll(branches, { timeout: 60_000 }).toEqual([]);

/** An operation that has pushed, has no worker any more, and has not ended. */
async function pushAndDie(description: string): Promise<{ id: string; branch: string; commit: string }> {
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'after-push' });
  const { id } = await platform.create({ kind: 'fix', description, repository: repository.path });
  await doomed.exited;
  const [branch = '', commit = ''] = branches()[0]?.split(' ') ?? [];
  return { id, branch, commit };
}

async function cancel(id: string): Promise<void> {
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
}

test('a branch that arrives when a worker has looked already', async () => {
  const { id, branch, commit } = await pushAndDie('mend for soak-1');
  await cancel(id);
  const worker = await platform.startWorker();
  await expectNoBranch();
  repository.git('branch', branch, commit);
  await expectNoBranch();
  await worker.kill();
});

test('a branch that the target does not let go for a while', async () => {
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

test('a worker that is killed while it cleans up, and a Redis that forgets', async () => {
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

test('a push that is under way when its worker is killed ends with it', async () => {
  const slow = makeSlowGit('before', 60);
  onTestFinished(slow.remove);
  const doomed = await platform.startWorker({ PATH: slow.path });
  const request = { kind: 'fix' as const, description: 'mend for soak-4', repository: repository.path };
  const { id } = await platform.create(request);
  await until('a push', () => existsSync(slow.reached));
  const pushes = () => findProcesses(dirname(slow.reached)).map(({ command }) => command);
  expect(pushes()).not.toEqual([]);
  await doomed.kill();
  await expect.poll(pushes, { timeout: 10_000 }).toEqual([]);
  await cancel(id);
  expect(branches()).toEqual([]);
});
