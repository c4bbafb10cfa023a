/** A cancellation ends an operation soon and finally, in every state. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis, openCodeQueue } from '@fettle/queue';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { afterEach, expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import { shell, shellFile } from '../support/shell-file.ts';
import { findFaults } from './support/check-operation.ts';
import { listRemains, until, untilActivity } from './support/observe.ts';
import { makeSlowGit } from './support/slow-git.ts';

/** The promise is 2 s. The test allows for a busy machine. */
const limitMs = 10_000;
const stubbornSeconds = '98761.25';
const stubborn = shell(
  `trap '' TERM; setsid sh -c "trap '' TERM; setsid sleep ${stubbornSeconds} & sleep ${stubbornSeconds}" & sleep ${stubbornSeconds}; sleep ${stubbornSeconds}`,
);
const mend = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const endless = (stall: 'before-headers' | 'mid-stream') => Array.from({ length: 9 }, () => ({ stall }));
const silent = { ...turn(say('Too late')), faults: endless('before-headers') };
const halting = { ...turn(say('Too late, and too long')), faults: endless('mid-stream') };

const points = ['before-push', 'after-push', 'before-pull-request', 'after-pull-request', 'before-settle'];

const platform = await openPlatform({
  conversations: [
    conversationFor('is silent', turn(mend), silent),
    conversationFor('halts', turn(mend), halting),
    conversationFor('is stubborn', turn(call('run_command', { command: stubborn }))),
    conversation('mend', [turn(mend), turn(say('Mended'))]),
  ],
  // A worker that only learned of it by its next heartbeat, after a third of the lease, would be too late.
  settings: { FETTLE_LEASE_SECONDS: '60', FETTLE_MODEL_IDLE_SECONDS: '300', FETTLE_CONCURRENCY: '1' },
});
let worker = platform.worker;
const repository = openRepository({ ...brokenSum, ...shellFile });
afterEach(() => {
  expect(listRemains(platform.home, stubbornSeconds)).toEqual([]);
});

const create = (description: string) => platform.create(repository.request('fix', description));

let cancelledAt: number | undefined;

async function cancel(id: string): Promise<void> {
  cancelledAt ??= performance.now();
  const response = await platform.call('POST', `/v1/operations/${id}/cancel`);
  expect([response.status, await response.json()]).toMatchObject([200, { state: 'cancelled' }]);
}

/** The time from the first cancellation until the operations have left nothing on the machine. */
async function expectNothingLeft(where: string): Promise<void> {
  await until('nothing left', () => listRemains(platform.home, stubbornSeconds).length === 0);
  const ms = Math.round(performance.now() - (cancelledAt ?? Number.NaN));
  cancelledAt = undefined;
  console.info(`cancelled ${where}, nothing left after: ${ms} ms`);
  expect(ms).toBeLessThan(limitMs);
}

async function expectCancelledForGood(id: string): Promise<void> {
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({
    state: 'cancelled',
    outcome: { kind: 'failure', reason: 'cancelled', message: 'Cancelled by admin.' },
    activity: 'cancelled: Cancelled by admin.',
  });
  expect(findFaults(operation, events, repository)).toEqual([]);
  for (const event of events) {
    if (event.type !== 'proposal.opened') continue;
    const pullRequest = await (await platform.call('GET', event.pullRequest.url)).json();
    expect(pullRequest).toMatchObject({ operationId: id, state: 'closed' });
  }
}

async function expectFreeWorker(): Promise<void> {
  const { operation } = await platform.run(repository.request('fix', 'the next one'));
  expect(operation).toMatchObject({ attempts: 1, outcome: { kind: 'proposal' } });
}

test('while queued and while the model answers', async () => {
  const answering = await create('the model is silent');
  await untilActivity(platform, answering.id, /waits for the model \(turn 2\)/);
  const queued = await create('nobody is free');
  await cancel(queued.id);
  await cancel(answering.id);
  await expectNothingLeft('while the model is silent');
  const halted = await create('the model halts in mid-answer');
  await untilActivity(platform, halted.id, /waits for the model \(turn 2\)/);
  await cancel(halted.id);
  await expectNothingLeft('in mid-answer');
  await expectFreeWorker();
  for (const { id } of [answering, queued, halted]) await expectCancelledForGood(id);
  expect((await platform.get(queued.id)).attempts).toBe(0);
});

test('while a command runs that ignores SIGTERM and has children in other sessions', async () => {
  const { id } = await create('the command is stubborn');
  await untilActivity(platform, id, /part 1, run_command/);
  await until('its processes', () => listRemains(platform.home, stubbornSeconds).length >= 6);
  await cancel(id);
  await expectNothingLeft('while a command runs');
  await expectFreeWorker();
  await expectCancelledForGood(id);
});

test('while pushing, and while the worker is held before and after the push', async () => {
  await worker.stop();
  const slow = [makeSlowGit('before'), makeSlowGit('after')];
  const holds = points.map((point) => ({ point, file: join(platform.home, `hold-${point}`) }));
  const workers = await Promise.all([
    ...slow.map(({ path }) => platform.startWorker({ PATH: path })),
    ...holds.map(({ point, file }) =>
      platform.startWorker({ FETTLE_TEST_CRASH: point, FETTLE_TEST_HOLD: file }),
    ),
  ]);
  const created = [];
  for (const { pid } of workers) created.push(await create(`push something ${pid}`));
  for (const file of [...slow.map(({ reached }) => reached), ...holds.map((hold) => hold.file)])
    await until(file, () => existsSync(file));
  for (const { id } of created) await cancel(id);
  for (const { file } of holds) rmSync(file);
  await expectNothingLeft('while pushing');
  await Promise.all(workers.map(({ stop }) => stop()));
  worker = await platform.startWorker();
  await expectFreeWorker();
  for (const { id } of created) await expectCancelledForGood(id);
});

test('while the worker is frozen or killed, the job is delivered again, or the api is killed', async () => {
  const frozen = await create('the model is silent, the worker frozen');
  await untilActivity(platform, frozen.id, /waits for the model \(turn 2\)/);
  process.kill(worker.pid, 'SIGSTOP');
  await cancel(frozen.id);
  process.kill(worker.pid, 'SIGCONT');
  await expectNothingLeft('while the worker is frozen');
  const killed = await create('the command is stubborn, the worker killed');
  await untilActivity(platform, killed.id, /part 1, run_command/);
  await Promise.all([cancel(killed.id), worker.kill()]);
  await expectNothingLeft('while the worker is killed');
  await platform.api.kill();
  await platform.startApi();
  worker = await platform.startWorker();
  const redis = connectRedis(platform.redis.url);
  const queue = openCodeQueue(redis);
  for (const { id } of [frozen, killed])
    await queue.add({ operationId: id, attempt: 7, priority: 'critical', notBefore: null });
  await expectFreeWorker();
  // A new api looks once more after what cancelled operations may have left.
  await expect.poll(() => queue.depth(), { timeout: 60_000 }).toBe(0);
  await queue.close();
  redis.disconnect();
  for (const { id } of [frozen, killed]) {
    await expectCancelledForGood(id);
    expect((await platform.get(id)).attempts).toBe(1);
  }
});
