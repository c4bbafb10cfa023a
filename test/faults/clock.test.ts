/** A clock that jumps neither takes an operation from a living worker nor hides a dead one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterEach, expect, test } from 'vitest';
import { openFolder, openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import { findRecordFaults } from './support/check-operation.ts';

const hour = 3_600_000;
const slow = conversation('slow', [turn(call('run_command', { command: 'sleep 9' })), turn(say('Rested'))]);
const folder = openFolder('clock');
const clock = join(folder, 'clock');
const shift = (ms: number) => writeFileSync(clock, String(ms));

shift(0);
const platform = await openPlatform({
  conversations: [slow],
  settings: { FETTLE_LEASE_SECONDS: '5', FETTLE_TEST_CLOCK: clock },
  workers: 0,
});
let api = platform.api;
const repository = openRepository({ 'README.md': 'one\n' });

const startWorker = () => openWorker(platform);
afterEach(() => shift(0));

async function startOperation(): Promise<string> {
  const { id } = await platform.create(repository.request('fix', 'slow'));
  const activity = async () => (await platform.get(id)).activity;
  await expect.poll(activity, { timeout: 60_000 }).toContain('run_command');
  return id;
}

test.each([3 * hour, -3 * hour])('a living worker keeps its operation over a jump by %i ms', async (ms) => {
  await startWorker();
  const id = await startOperation();
  shift(ms);
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({ state: 'unchanged', attempts: 1 });
  expect(findRecordFaults(operation, events)).toEqual([]);
  expect(operation.history.every(({ seconds }) => seconds >= 0)).toBe(true);
});

test.each([3 * hour, -3 * hour])(
  'a worker that dies when the clock jumps by %i ms counts as lost',
  async (ms) => {
    const worker = await startWorker();
    const id = await startOperation();
    shift(ms);
    await worker.kill();
    await startWorker();
    await platform.follow(id);
    expect(await platform.get(id)).toMatchObject({ state: 'unchanged', attempts: 2 });
  },
);

test.each([3 * hour, -3 * hour])('a jump by %i ms expires no operation', async (ms) => {
  await api.kill();
  api = await platform.startApi({ FETTLE_STATE_LIMITS: 'queued=600' });
  const request = repository.request('fix', 'slow');
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
