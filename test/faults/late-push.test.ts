/** A worker that slept until its operation was cancelled without it pushes nothing, or takes away again what it pushed; and what is proposed on record stays. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { findProposalFaults } from './support/check-operation.ts';
import { errandConversations, errandFiles } from './support/errands.ts';
import { until, untilState } from './support/observe.ts';
import { makeSlowGit } from './support/slow-git.ts';

const workerKey = 'a-key-for-these-tests-alone';

let platform: Platform;
let repository: TestRepository;
let api: ServiceProcess;
beforeAll(async () => {
  const settings = {
    ...{ FETTLE_LEASE_SECONDS: '2', FETTLE_LOG_LEVEL: 'info', FETTLE_CONCURRENCY: '1' },
    FETTLE_WORKER_KEY: workerKey,
  };
  platform = await startPlatform({ conversations: errandConversations, settings, workers: 0 });
  repository = makeRepository(errandFiles);
  api = platform.api;
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const branches = () =>
  repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/agent').split('\n').filter(Boolean);

const create = (description: string) =>
  platform.create({ kind: 'fix', description, repository: repository.path });

async function cancel(id: string): Promise<void> {
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
}

/** So that nobody but the late worker itself can take anything away. */
async function reportCleanedUp(id: string): Promise<void> {
  const worker = await platform.startWorker();
  await until('a look', () => worker.log().includes('not available to this worker'));
  await worker.stop();
  for (let look = 1; look <= 5; look++)
    await fetch(`${platform.url}/internal/v1/operations/${id}/clean-up`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ look, found: 'gone' }),
    });
}

test.each([
  { point: 'before-push', pushes: false },
  { point: 'push-allowed', pushes: true },
])('asleep $point', async ({ point, pushes }) => {
  const git = makeSlowGit('after', 0);
  onTestFinished(git.remove);
  const hold = join(platform.home, `hold-${point}`);
  const late = await platform.startWorker({
    ...{ FETTLE_TEST_CRASH: point, FETTLE_TEST_HOLD: hold, PATH: git.path },
  });
  const { id } = await create(`mend for soak-1 ${point}`);
  await until(point, () => existsSync(hold));
  await untilState(platform, id, 'queued');
  await cancel(id);
  await reportCleanedUp(id);
  // On a machine that wakes up the api is slow too, and the heartbeat learns nothing in time.
  process.kill(api.pid, 'SIGSTOP');
  writeFileSync(`${hold}.off`, '');
  rmSync(hold);
  if (pushes) await until('a push', () => existsSync(git.reached));
  else await sleep(1_500);
  process.kill(api.pid, 'SIGCONT');
  await until('its end', () => late.log().includes('attempt ended'));
  expect({ pushed: existsSync(git.reached), branches: branches() }).toEqual({ pushed: pushes, branches: [] });
  await late.kill();
});

test('an api that dies when it has settled, and a cancel before the worker asks again: the proposal stays', async () => {
  await api.kill();
  api = await platform.startApi({ FETTLE_TEST_CRASH: 'settled' });
  const worker = await platform.startWorker();
  const { id } = await create('mend for soak-2');
  await api.exited;
  process.kill(worker.pid, 'SIGSTOP');
  api = await platform.startApi();
  await cancel(id);
  process.kill(worker.pid, 'SIGCONT');
  await until('its end', () => worker.log().includes('not available to this worker'));
  const [operation, events] = [await platform.get(id), await platform.follow(id)];
  expect(operation).toMatchObject({ state: 'cancelled', outcome: { kind: 'proposal' } });
  expect(findProposalFaults(operation, events, repository)).toEqual([]);
  await worker.kill();
});
