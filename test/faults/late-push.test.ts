/** A worker that was suspended while its operation was cancelled pushes nothing, or removes what it pushed. A recorded proposal stays. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { findProposalFaults } from './support/check-operation.ts';
import { errandConversations, errandFiles } from './support/errands.ts';
import { until, untilState } from './support/observe.ts';
import { makeSlowGit } from './support/slow-git.ts';

const workerKey = 'a-key-for-these-tests-alone';

const settings = {
  ...{ FETTLE_LEASE_SECONDS: '2', FETTLE_LOG_LEVEL: 'info', FETTLE_CONCURRENCY: '1' },
  FETTLE_WORKER_KEY: workerKey,
};
const platform = await openPlatform({ conversations: errandConversations, settings, workers: 0 });
const repository = openRepository(errandFiles);
let api = platform.api;

const branches = () =>
  repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/agent').split('\n').filter(Boolean);

const create = (description: string) => platform.create(repository.request('fix', description));

async function cancel(id: string): Promise<void> {
  expect((await platform.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(200);
}

/** So that only the late worker can remove the branch. */
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

test('the api dies after it has settled, and the operation is cancelled before the worker asks again: the proposal stays', async () => {
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
