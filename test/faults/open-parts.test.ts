/** An operation that ends in the middle of a call: the call is closed as interrupted once, before the end. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, State } from '@fettle/contract';
import { connectRedis } from '@fettle/queue';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { afterEach, expect, test } from 'vitest';
import { toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import type { Environment, ServiceProcess } from '../support/service-process.ts';
import { shell, shellFile } from '../support/shell-file.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { listRemains, until, untilActivity, untilState } from './support/observe.ts';

const seconds = '86421.5';
const sleep = call('run_command', { command: `sleep ${seconds}` });
const look = call('list_directory', { path: '.' });
/** The set-up passes once: the next attempt ends with its own outcome. */
const onceOnly = {
  ...shellFile,
  '.fettle/config.yml': JSON.stringify({ setup: [shell('mkdir "$PWD/../../../set-up-once"')] }),
};

const platform = await openPlatform({
  conversations: [
    conversationFor('quick', turn(look), turn(say('Seen'))),
    conversation('two', [turn(look), turn(sleep, look)]),
  ],
  settings: { FETTLE_LEASE_SECONDS: '2' },
  workers: 0,
});
let api = platform.api;
const repository = openRepository({ 'README.md': 'one\n' });
const fragile = openRepository({ 'README.md': 'one\n', ...onceOnly });

const workers: ServiceProcess[] = [];
async function startWorker(more: Environment = {}): Promise<ServiceProcess> {
  const worker = await platform.startWorker(more);
  workers.push(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
  await until('nothing left', () => listRemains(platform.home, seconds).length === 0);
});

async function restartApi(more: Environment = {}): Promise<void> {
  await api.kill();
  api = await platform.startApi(more);
}

async function create(description = 'two at once', place = repository): Promise<string> {
  return (await platform.create(place.request('fix', description))).id;
}

/** An operation in the middle of the second of three calls. */
async function startSleeping(place = repository): Promise<string> {
  const id = await create('two at once', place);
  await untilActivity(platform, id, /part 2, run_command/);
  return id;
}

const ask = (id: string, action: 'pause' | 'cancel') =>
  platform.call('POST', `/v1/operations/${id}/${action}`);

const cutOff = ['ok', 'interrupted', 'interrupted'];

async function expectClosed(id: string, state: State, statuses: string[]): Promise<Event[]> {
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation.state).toBe(state);
  expect(findRecordFaults(operation, events)).toEqual([]);
  const finished = toolParts(events);
  expect(finished.map(({ status }) => status)).toEqual(statuses);
  const end = events.findIndex((event) => event.type === 'operation.state' && event.to === state);
  expect(events.slice(end).map(({ type }) => type)).toEqual(['operation.state', 'operation.settled']);
  return events;
}

test('cancelled with a running worker, which cannot append afterwards', async () => {
  const worker = await startWorker();
  const id = await startSleeping();
  await ask(id, 'cancel');
  const events = await expectClosed(id, 'cancelled', cutOff);
  await until('nothing left', () => listRemains(platform.home, seconds).length === 0);
  await worker.stop();
  expect(await platform.follow(id)).toEqual(events);
});

test.each([
  ['tool-ran:1', ['interrupted']],
  ['part-finished:1', ['ok']],
])('cancelled while its worker is held at %s', async (point, statuses) => {
  const file = join(platform.home, `hold-${point}`);
  const worker = await startWorker({ FETTLE_TEST_CRASH: point, FETTLE_TEST_HOLD: file });
  const id = await create('quick');
  await until(file, () => existsSync(file));
  await ask(id, 'cancel');
  const events = await expectClosed(id, 'cancelled', statuses);
  rmSync(file);
  await until('nothing left', () => listRemains(platform.home).length === 0);
  await worker.stop();
  expect(await platform.follow(id)).toEqual(events);
});

test('cancelled after its worker was lost, while queued and while paused', async () => {
  const worker = await startWorker();
  const queued = await startSleeping();
  const paused = await startSleeping();
  await ask(paused, 'pause');
  await worker.kill();
  await untilState(platform, queued, 'queued');
  await untilState(platform, paused, 'paused');
  for (const id of [queued, paused]) {
    await ask(id, 'cancel');
    await expectClosed(id, 'cancelled', cutOff);
  }
});

test('expired while a worker has it, and while paused', async () => {
  const worker = await startWorker();
  const paused = await startSleeping();
  await ask(paused, 'pause');
  await worker.kill();
  await untilState(platform, paused, 'paused');
  await startWorker();
  const acting = await startSleeping();
  await restartApi({ FETTLE_STATE_LIMITS: 'acting=1,paused=1' });
  for (const id of [paused, acting]) await expectClosed(id, 'expired', cutOff);
  await restartApi();
});

test('failed because its last attempt was lost', async () => {
  await restartApi({ FETTLE_MAX_ATTEMPTS: '1' });
  const worker = await startWorker();
  const id = await startSleeping();
  await worker.kill();
  await expectClosed(id, 'failed', cutOff);
  await restartApi();
});

test('ended by a later attempt that did not reach the call', async () => {
  const worker = await startWorker();
  const id = await startSleeping(fragile);
  await worker.kill();
  await startWorker();
  await expectClosed(id, 'failed', cutOff);
  expect(await platform.get(id)).toMatchObject({ attempts: 2, outcome: { reason: 'setup_failed' } });
});

/** Each with a worker that is alive, and with one that dies too. */
test.each(['record-sealed', 'parts-interrupted', 'outbox-delivered'])(
  'the api dies while it closes the calls, at: %s',
  async (point) => {
    const worker = await startWorker();
    const ids = [await startSleeping(), await startSleeping()];
    for (const [index, id] of ids.entries()) {
      await restartApi({ FETTLE_TEST_CRASH: point });
      await ask(id, 'cancel').catch(() => {});
      await api.exited;
      if (index > 0) await worker.kill();
      await restartApi();
      await expectClosed(id, 'cancelled', cutOff);
    }
  },
);

test('an event that cannot be stored is quarantined and does not delay the end', async () => {
  const id = await create();
  const stream = `fettle:events:${id}`;
  const redis = connectRedis(platform.redis.url);
  await until('its first event is stored', async () => (await redis.xlen(stream)) === 0);
  await redis.xadd(stream, '2-1', 'at', new Date().toISOString(), 'body', '{"type":"nonsense"}');
  await ask(id, 'cancel');
  await startWorker();
  const request = repository.request('fix', 'quick');
  expect((await platform.run(request)).operation.state).toBe('unchanged');
  const headers = { 'last-event-id': '1' };
  const following = await platform.call('GET', `/v1/operations/${id}/events`, { headers });
  const seen = [];
  for await (const { type } of readEventStream(following)) seen.push(type);
  expect(seen).toEqual(['operation.state', 'operation.settled']);
  expect(await redis.xlen(`${stream}:aside`)).toBe(1);
  redis.disconnect();
  await expectClosed(id, 'cancelled', []);
});
