/** Differences between Postgres and Redis are repaired when the api starts: jobs, streams, expired states. */
import { connectRedis } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';

const steps = conversation(
  'steps',
  [
    repairSum,
    turn(call('run_command', { command: 'sleep 5' })),
    turn(call('write_file', { path: 'notes.md', content: 'mended\n' })),
    turn(say('Mended')),
  ],
  { repeatOn: 'This call was interrupted' },
);

const platform = await openPlatform({
  conversations: [steps],
  settings: { FETTLE_LEASE_SECONDS: '2' },
  workers: 0,
});
const repository = openRepository(brokenSum);

const request = () => repository.request('fix', 'steps');

async function loseRedis(): Promise<void> {
  const redis = connectRedis(platform.redis.url);
  await redis.flushall();
  redis.disconnect();
}

async function restartApi(settings: Record<string, string> = {}): Promise<string> {
  await api.kill();
  api = await platform.startApi({ FETTLE_LOG_LEVEL: 'info', ...settings });
  return api.log();
}
let api = { kill: async (): Promise<unknown> => platform.api.kill(), log: () => '' };

test('a queued operation without a job gets its job back, and that is logged', async () => {
  const { id } = await platform.create(request());
  await loseRedis();
  await restartApi();
  await expect
    .poll(() => api.log(), { timeout: 30_000 })
    .toContain('queued without a job, the job was restored');
  const worker = await platform.startWorker();
  await expectProposal(platform, repository, id);
  await worker.kill();
});

test('Redis loses everything in the middle of an operation: another attempt continues from the database', async () => {
  const worker = await platform.startWorker();
  const { id } = await platform.create(request());
  const before = async () => (await platform.get(id)).activity;
  await expect.poll(before, { timeout: 60_000 }).toContain('run_command');
  await loseRedis();
  await expectProposal(platform, repository, id);
  expect((await platform.get(id)).attempts).toBeGreaterThan(1);
  await worker.kill();
});

test('an operation that is queued for too long expires, and followers get the event', async () => {
  const { id } = await platform.create(request());
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await restartApi({ FETTLE_STATE_LIMITS: 'queued=1' });
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(findRecordFaults(operation, events)).toEqual([]);
  expect(operation).toMatchObject({
    state: 'expired',
    outcome: { kind: 'failure', reason: 'expired', message: expect.stringContaining('the limit is 1 s') },
  });
  expect(operation.activity).toContain('expired: The operation had been queued since');
  const states = operation.history.map(({ state }) => state);
  expect(states).toEqual(['queued', 'expired']);
  expect(operation.history[0]?.seconds).toBeGreaterThan(1);
});

test('a Redis that refuses writes is not ready, and one without persistence causes a warning', async () => {
  const redis = connectRedis(platform.redis.url);
  const ready = async () => {
    const response = await fetch(`${platform.url}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  await redis.config('SET', 'appendonly', 'no');
  expect(await ready()).toMatchObject({
    status: 200,
    body: { notes: [expect.stringContaining('appendonly')] },
  });
  await restartApi();
  await expect.poll(() => api.log()).toContain('Redis runs without appendonly');
  await redis.config('SET', 'maxmemory', '1');
  expect(await ready()).toMatchObject({
    status: 503,
    body: { error: { code: 'unavailable', message: expect.stringContaining('Redis refuses writes: OOM') } },
  });
  await redis.config('SET', 'maxmemory', '0');
  await redis.config('SET', 'appendonly', 'yes');
  expect(await ready()).toMatchObject({ status: 200, body: { notes: [] } });
  redis.disconnect();
});
