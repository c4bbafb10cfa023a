import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOrder } from '@fettle/contract';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCodeQueue } from './code-queue.ts';
import { connectRedis } from './connection.ts';
import { consumeCodeQueue } from './consume-code-queue.ts';
import { type RunningRedis, startRedis } from './redis/start-redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'fettle-queue-'));
let redis: RunningRedis;
let client: ReturnType<typeof connectRedis>;
let raw: Queue;
beforeAll(async () => {
  const home = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
  redis = await startRedis({ home, folder, fsync: 'everysec' });
  client = connectRedis(redis.url);
  raw = new Queue('code-operation', { connection: client });
});
afterAll(async () => {
  await raw?.close();
  client?.disconnect();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const order = (operationId: string, inMs?: number): JobOrder => ({
  operationId,
  attempt: 1,
  priority: 'medium',
  notBefore: inMs === undefined ? null : new Date(Date.now() + inMs).toISOString(),
});
const stateOf = async (operationId: string) => (await raw.getJob(`${operationId}-1`))?.getState();

test('a job is delayed until its time, unless only a wrong clock can have set that time', async () => {
  const queue = openCodeQueue(client);
  expect(await queue.add(order('op_soon', 30_000))).toBe(true);
  expect(await queue.add(order('op_hours', 5 * 3_600_000))).toBe(true);
  expect(await stateOf('op_soon')).toBe('delayed');
  expect(await stateOf('op_hours')).toBe('prioritized');
  expect(await queue.add(order('op_soon', 30_000))).toBe(false);
  expect(await stateOf('op_soon')).toBe('delayed');
});

test('a due job that a fast clock delayed is promoted', async () => {
  const queue = openCodeQueue(client);
  const delayed = { jobId: 'op_ahead-1', priority: 3, delay: 3_600_000 };
  await raw.add('operation', { operationId: 'op_ahead' }, delayed);
  expect(await queue.add(order('op_ahead', -1_000))).toBe(false);
  expect(await stateOf('op_ahead')).toBe('prioritized');
});

/** Redis answers every write with an error, as with a full disk. */
const refuseWrites = (refuse: boolean) => client.config('SET', 'min-replicas-to-write', refuse ? 1 : 0);

test.each(['waits for a job', 'has just started'])(
  'a worker that %s backs off while Redis refuses writes, and continues afterwards',
  async (what) => {
    const worked: string[] = [];
    let errors = 0;
    // On an empty queue, a blocking wait takes five seconds.
    await raw.obliterate({ force: true });
    if (what === 'has just started') await refuseWrites(true);
    const consumer = consumeCodeQueue(client, {
      concurrency: 1,
      async work(operationId) {
        worked.push(operationId);
        return undefined;
      },
      onFailed() {},
      onError() {
        errors += 1;
      },
    });
    try {
      await sleep(1_000);
      await refuseWrites(true);
      await sleep(8_000);
      expect(errors).toBeGreaterThan(0);
      expect(errors).toBeLessThan(15);
      await refuseWrites(false);
      const queue = openCodeQueue(client);
      await queue.add(order(`op_${what.length}`));
      await expect.poll(() => worked, { timeout: 15_000 }).toContain(`op_${what.length}`);
    } finally {
      await refuseWrites(false);
      await consumer.close();
    }
  },
);

test('a job that was taken too early comes again after the returned delay', async () => {
  const queue = openCodeQueue(client);
  const taken: number[] = [];
  const failures: Error[] = [];
  const consumer = consumeCodeQueue(client, {
    concurrency: 1,
    async work(operationId) {
      if (operationId !== 'op_early') return undefined;
      taken.push(performance.now());
      return taken.length === 1 ? 1_000 : undefined;
    },
    onFailed: (error) => failures.push(error),
    onError: (error) => failures.push(error),
  });
  await queue.add(order('op_early'));
  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(2);
  const [first = 0, second = 0] = taken;
  expect(second - first).toBeGreaterThan(900);
  await consumer.close();
  expect(await stateOf('op_early')).toBeUndefined();
  expect(failures).toEqual([]);
});

test('a paused consumer takes at most the job that it was fetching, until it resumes', async () => {
  const queue = openCodeQueue(client);
  const taken: string[] = [];
  const consumer = consumeCodeQueue(client, {
    concurrency: 4,
    async work(operationId) {
      taken.push(operationId);
      return undefined;
    },
    onFailed() {},
    onError() {},
  });
  await consumer.ready();
  consumer.pause();
  for (let n = 0; n < 6; n += 1) await queue.add(order(`op_paused_${n}`));
  await sleep(2_000);
  expect(taken.length).toBeLessThanOrEqual(1);
  consumer.resume();
  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(6);
  await consumer.close();
});

test('an attempt whose job a worker still holds gets another job', async () => {
  await raw.obliterate({ force: true });
  const queue = openCodeQueue(client);
  const refusals: (() => void)[] = [];
  let taken = 0;
  const consumer = consumeCodeQueue(client, {
    concurrency: 2,
    async work() {
      taken += 1;
      if (taken < 3) await new Promise<void>((resolve) => refusals.push(resolve));
      return undefined;
    },
    onFailed() {},
    onError() {},
  });
  await queue.addAgain(order('op_anew'));
  await expect.poll(() => taken).toBe(1);
  await queue.addAgain(order('op_anew'));
  await expect.poll(() => taken).toBe(2);
  // No worker is free: one job waits, however often it is added.
  for (let times = 0; times < 3; times++) await queue.addAgain(order('op_anew'));
  expect(await queue.depth()).toBe(1);
  for (const refuse of refusals) refuse();
  await expect.poll(() => taken).toBe(3);
  await consumer.close();
  expect([taken, await queue.depth()]).toEqual([3, 0]);
});

test('a delayed job that no operation expects is promoted, others stay delayed', async () => {
  const queue = openCodeQueue(client);
  await queue.add(order('op_over', 30_000));
  await queue.add(order('op_due', 30_000));
  const promoted = await queue.promoteAllExcept([order('op_due')]);
  expect(promoted).toContain('op_over');
  expect(promoted).not.toContain('op_due');
  expect([await stateOf('op_over'), await stateOf('op_due')]).toEqual(['prioritized', 'delayed']);
  for (const id of ['op_over', 'op_due']) await queue.remove(order(id));
});

test('a consumer without running jobs does not wait for an unreachable Redis', async () => {
  const place = { home: process.env.FETTLE_HOME ?? join(homedir(), '.fettle'), fsync: 'everysec' as const };
  const other = { ...place, folder: mkdtempSync(join(tmpdir(), 'fettle-queue-')) };
  let server = await startRedis(other);
  const connection = connectRedis(server.url);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<undefined>();
  const consumer = consumeCodeQueue(connection, {
    concurrency: 1,
    work() {
      begun.resolve();
      return ended.promise;
    },
    onFailed() {},
    onError() {},
  });
  await openCodeQueue(connection).add(order('op_held'));
  await begun.promise;
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  let isClosed = false;
  const closing = consumer.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(isClosed).toBe(false);
  ended.resolve(undefined);
  await closing;
  server = await startRedis(other);
  await consumer.close();
  connection.disconnect();
  await server.stop();
  rmSync(other.folder, { recursive: true, force: true });
}, 30_000);
