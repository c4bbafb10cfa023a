/** A clock that jumps takes no operation from a worker that lives, and hides no worker that is dead. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { findRecordFaults } from './support/check-operation.ts';

const hour = 3_600_000;
const slow = conversation('slow', [turn(call('run_command', { command: 'sleep 9' })), turn(say('Rested'))]);
const folder = mkdtempSync(join(tmpdir(), 'clock-'));
const clock = join(folder, 'clock');
const shift = (ms: number) => writeFileSync(clock, String(ms));

let platform: Platform;
let api: ServiceProcess;
let repository: TestRepository;
beforeAll(async () => {
  shift(0);
  platform = await startPlatform({
    conversations: [slow],
    settings: { FETTLE_LEASE_SECONDS: '5', FETTLE_TEST_CLOCK: clock },
    workers: 0,
  });
  api = platform.api;
  repository = makeRepository({ 'README.md': 'one\n' });
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const workers: ServiceProcess[] = [];
async function startWorker(): Promise<ServiceProcess> {
  const worker = await platform.startWorker();
  workers.push(worker);
  return worker;
}
afterEach(async () => {
  shift(0);
  for (const worker of workers.splice(0)) await worker.kill();
});

async function startOperation(): Promise<string> {
  const { id } = await platform.create({ kind: 'fix', description: 'slow', repository: repository.path });
  const activity = async () => (await platform.get(id)).activity;
  await expect.poll(activity, { timeout: 60_000 }).toContain('run_command');
  return id;
}

test.each([3 * hour, -3 * hour])('a jump by %i ms is survived by whoever is alive', async (ms) => {
  await startWorker();
  const id = await startOperation();
  shift(ms);
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({ state: 'unchanged', attempts: 1 });
  expect(findRecordFaults(operation, events)).toEqual([]);
  expect(operation.history.every(({ seconds }) => seconds >= 0)).toBe(true);
});

test.each([3 * hour, -3 * hour])('a worker that dies when the clock jumps by %i ms is missed', async (ms) => {
  const worker = await startWorker();
  const id = await startOperation();
  shift(ms);
  await worker.kill();
  await startWorker();
  await platform.follow(id);
  expect(await platform.get(id)).toMatchObject({ state: 'unchanged', attempts: 2 });
});

test.each([3 * hour, -3 * hour])('a jump by %i ms makes no state look long', async (ms) => {
  await api.kill();
  api = await platform.startApi({ FETTLE_STATE_LIMITS: 'queued=600' });
  const request = { kind: 'fix' as const, description: 'slow', repository: repository.path };
  const before = await platform.create(request);
  shift(ms);
  const after = await platform.create(request);
  // Past the first look at everything, which comes two seconds after the start.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  for (const { id } of [before, after]) {
    expect(await platform.get(id)).toMatchObject({ state: 'queued' });
    await platform.call('POST', `/v1/operations/${id}/cancel`);
  }
});
