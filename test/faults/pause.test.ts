import type { OperationDetail } from '@fettle/contract';
import { connectRedis, consumeCodeQueue } from '@fettle/queue';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';
import { countAnswers, findRecordFaults } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { listRemains, measure, until, untilActivity, untilState } from './support/observe.ts';

const finish = turn(say('Mended'));
const slow = turn(call('run_command', { command: 'sleep 6' }));
const waiting = 'waits for a resume (paused by admin)';

const platform = await openPlatform({
  conversations: [
    conversationFor('a command', repairSum, slow, finish),
    conversation('mend', [repairSum, finish]),
  ],
  settings: { FETTLE_LEASE_SECONDS: '2' },
  latencyMs: 800,
});
const repository = openRepository(brokenSum);

const create = (description: string) => platform.create(repository.request('fix', description));

async function ask(id: string, action: 'pause' | 'resume' | 'cancel') {
  const response = await platform.call('POST', `/v1/operations/${id}/${action}`);
  return { status: response.status, body: await response.json() };
}

const fettle = (...args: string[]) => runFettleOn(platform, ...args);

/** Every second since the creation was spent in exactly one state. */
function expectTimesAddUp({ createdAt, settledAt, history }: OperationDetail): void {
  expect(history[0]).toMatchObject({ state: 'queued', since: createdAt });
  const last = history.at(-1);
  const before = history.slice(0, -1).reduce((sum, { seconds }) => sum + seconds, 0);
  expect(Date.parse(last?.since ?? '') - Date.parse(createdAt)).toBeCloseTo(before * 1000, -1);
  // The event is a moment younger than the row.
  expect(Math.abs(Date.parse(last?.since ?? '') - Date.parse(settledAt ?? ''))).toBeLessThan(2_000);
}

async function expectFinished(id: string, attempts: number, pauses: number): Promise<void> {
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBe(attempts);
  expect(operation.history.filter(({ state }) => state === 'paused')).toHaveLength(pauses);
  expectTimesAddUp(operation);
  const paid = countAnswers(platform.rehearsal.requests(), operation.request.description);
  expect({ id, paid }).toEqual({ id, paid: operation.totals.turns });
}

test('queued: paused at once, through restarts of all services, until the command line resumes it', async () => {
  await platform.worker.stop();
  const { id } = await create('wait for me');
  expect(await fettle('pause', id)).toEqual({ code: 0, stdout: `${id} is paused: ${waiting}\n`, stderr: '' });
  await platform.api.kill();
  await platform.startApi();
  const worker = await platform.startWorker();
  const { operation } = await platform.run(repository.request('fix', 'pass it by'));
  expect(operation.outcome).toMatchObject({ kind: 'proposal' });
  const shown = await fettle('show', id, '--no-color');
  expect(shown.stdout.split('\n')).toContain(`now: paused: ${waiting}`);
  expect((await fettle('show', operation.id, '--no-color')).stdout).toMatch(
    /^now: awaiting approval: waits for a review of pull request \d+$/m,
  );
  expect((await platform.get(id)).attempts).toBe(0);
  expect(await fettle('resume', id)).toEqual({ code: 0, stdout: `${id} is resumed\n`, stderr: '' });
  await expectFinished(id, 1, 1);
  await worker.stop();
});

test('while the model answers and while a command runs; another worker goes on', async () => {
  const first = await platform.startWorker();
  const thinking = await create('pause while the model answers');
  const running = await create('pause a command');
  await untilActivity(platform, thinking.id, /waits for the model \(turn 1\)/);
  expect(await ask(thinking.id, 'pause')).toMatchObject({
    status: 200,
    body: { waitsFor: 'the end of the running part (pause requested by admin)' },
  });
  await untilActivity(platform, running.id, /run_command/);
  const { stdout } = await fettle('pause', running.id);
  expect(stdout).toBe(
    `${running.id} is acting: waits for the end of the running part (pause requested by admin)\n`,
  );
  await measure('paused while a command runs, after', () => untilState(platform, running.id, 'paused'));
  await untilState(platform, thinking.id, 'paused');
  await until('nothing left', () => listRemains(platform.home).length === 0);
  // What was asked for before the pause was answered, carried out and put on record.
  expect((await platform.get(thinking.id)).totals).toMatchObject({ turns: 1, parts: 1 });
  await first.kill();
  const second = await platform.startWorker();
  for (const { id } of [thinking, running])
    expect(await ask(id, 'resume')).toMatchObject({ status: 200, body: { state: 'queued' } });
  for (const { id } of [thinking, running]) await expectFinished(id, 2, 1);
  await second.stop();
});

test('a pause that is taken back in time, and a worker that is killed before it could pause', async () => {
  const worker = await platform.startWorker();
  const back = await create('a command, and a pause taken back');
  const killed = await create('a command, and a kill');
  for (const { id } of [back, killed]) {
    await untilActivity(platform, id, /run_command/);
    await ask(id, 'pause');
  }
  expect(await ask(back.id, 'resume')).toMatchObject({ status: 200, body: { waitsFor: null } });
  await expectFinished(back.id, 1, 0);
  await untilState(platform, killed.id, 'paused');
  await ask(killed.id, 'resume');
  await untilState(platform, killed.id, 'preparing');
  await ask(killed.id, 'pause');
  await worker.kill();
  await untilState(platform, killed.id, 'paused');
  const next = await platform.startWorker();
  await ask(killed.id, 'resume');
  await expectFinished(killed.id, 3, 2);
  await next.stop();
});

test('resumed while a rejected worker still holds the job', async () => {
  await platform.worker.stop();
  const redis = connectRedis(platform.redis.url);
  let taken = 0;
  let id = '';
  const consumer = consumeCodeQueue(redis, {
    concurrency: 1,
    async work(operationId) {
      await until('the id is known', () => id !== '');
      if (operationId !== id) return undefined;
      taken += 1;
      if (taken > 1) return undefined;
      expect(await ask(id, 'pause')).toMatchObject({ body: { state: 'paused' } });
      expect(await ask(id, 'resume')).toMatchObject({ body: { state: 'queued' } });
      return undefined;
    },
    onFailed() {},
    onError() {},
  });
  ({ id } = await create('pause and resume in a moment'));
  // Not only at the next look of the api, which comes every minute.
  await expect.poll(() => taken, { timeout: 5_000 }).toBe(2);
  await ask(id, 'cancel');
  await consumer.close();
  redis.disconnect();
});

test('cancelled while paused; an ended operation cannot be paused or resumed', async () => {
  const { id } = await create('never mind');
  await ask(id, 'pause');
  expect(await ask(id, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } });
  expect(await ask(id, 'cancel')).toMatchObject({
    status: 200,
    body: { state: 'cancelled', waitsFor: null },
  });
  for (const action of ['pause', 'resume'] as const) {
    const message = action === 'pause' ? 'cannot be paused' : 'not paused';
    expect(await ask(id, action)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining(message) } },
    });
    const { code, stderr } = await fettle(action, id);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(findRecordFaults(operation, events)).toEqual([]);
  expect(operation.history.map(({ state }) => state)).toEqual(['queued', 'paused', 'cancelled']);
  expectTimesAddUp(operation);
});
