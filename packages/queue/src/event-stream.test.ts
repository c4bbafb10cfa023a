import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@fettle/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis } from './connection.ts';
import {
  appendEvents,
  awaitNewEvents,
  claimKey,
  FencedError,
  fenceOff,
  listUnstored,
  markStored,
  NotResyncedError,
  openStream,
  readEvents,
  resyncStreams,
  StreamNotOpenError,
  sealStream,
  undoFenceOff,
} from './event-stream.ts';
import { readHome } from './redis/home-config.ts';
import { type RunningRedis, startRedis } from './redis/start-redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-stream-'));
let server: RunningRedis;
let redis: ReturnType<typeof connectRedis>;
beforeAll(async () => {
  server = await startRedis({ home: readHome(), folder, fsync: 'everysec' });
  redis = connectRedis(server.url);
  await resyncStreams(redis, async () => {});
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const note = (message: string): EventBody => ({ type: 'notice', level: 'info', code: 'test', message });
const messages = async (operationId: string, after = 0) =>
  (await readEvents(redis, operationId, after, 1_000)).events.map(
    (event) => event.type === 'notice' && `${event.position} ${event.message}`,
  );

test('concurrent appends get the positions 1, 2, 3 …, and reading can start at any of them', async () => {
  await openStream(redis, 'op_a', { position: 0, fence: 0 });
  const texts = Array.from({ length: 20 }, (_, i) => `n${i}`);
  const positions = await Promise.all(
    texts.map((text) => appendEvents(redis, 'op_a', [note(text)], { key: text })),
  );
  expect([...positions].sort((a, b) => a - b)).toEqual(texts.map((_text, index) => index + 1));
  expect(await messages('op_a', 18)).toHaveLength(2);
});

test('the same key is appended once and keeps its position', async () => {
  await openStream(redis, 'op_b', { position: 0, fence: 0 });
  expect(await appendEvents(redis, 'op_b', [note('first')], { key: 'k' })).toBe(1);
  expect(await appendEvents(redis, 'op_b', [note('again')], { key: 'k' })).toBe(1);
  expect(await appendEvents(redis, 'op_b', [note('next')], { key: 'position' })).toBe(2);
  expect(await messages('op_b')).toEqual(['1 first', '2 next']);
});

test('an older owner can no longer append', async () => {
  await openStream(redis, 'op_c', { position: 0, fence: 0 });
  await openStream(redis, 'op_c', { position: 0, fence: 1 });
  await appendEvents(redis, 'op_c', [note('of the first')], { key: '1', fence: 1 });
  await openStream(redis, 'op_c', { position: 0, fence: 2 });
  await appendEvents(redis, 'op_c', [note('of the second')], { key: '2', fence: 2 });
  await expect(appendEvents(redis, 'op_c', [note('late')], { key: '3', fence: 1 })).rejects.toThrow(
    FencedError,
  );
  expect(await messages('op_c')).toEqual(['1 of the first', '2 of the second']);
});

test('a fenced-off owner cannot append, even before there is a new owner', async () => {
  await openStream(redis, 'op_j', { position: 0, fence: 1 });
  await fenceOff(redis, 'op_j', 1);
  await fenceOff(redis, 'op_j', 0);
  await expect(appendEvents(redis, 'op_j', [note('late')], { key: '1', fence: 1 })).rejects.toThrow(
    FencedError,
  );
  await openStream(redis, 'op_j', { position: 0, fence: 3 });
  expect(await appendEvents(redis, 'op_j', [note('next')], { key: '3.1', fence: 3 })).toBe(1);
});

test('an undone fence lets the owner append again, unless a newer owner came in between', async () => {
  await openStream(redis, 'op_on', { position: 0, fence: 1 });
  await fenceOff(redis, 'op_on', 1);
  await undoFenceOff(redis, 'op_on', 1);
  expect(await appendEvents(redis, 'op_on', [note('on')], { key: '1.1', fence: 1 })).toBe(1);
  await fenceOff(redis, 'op_on', 1);
  await openStream(redis, 'op_on', { position: 0, fence: 3 });
  await undoFenceOff(redis, 'op_on', 1);
  await expect(appendEvents(redis, 'op_on', [note('late')], { key: '1.2', fence: 1 })).rejects.toThrow(
    FencedError,
  );
});

test('stored events are trimmed, and an operation with newer events stays in the unstored set', async () => {
  await openStream(redis, 'op_d', { position: 0, fence: 0 });
  await appendEvents(redis, 'op_d', [note('a')], { key: 'a' });
  await appendEvents(redis, 'op_d', [note('b')], { key: 'b' });
  await markStored(redis, 'op_d', 1);
  expect(await messages('op_d')).toEqual(['2 b']);
  expect(await listUnstored(redis)).toContain('op_d');
  await markStored(redis, 'op_d', 2);
  expect(await listUnstored(redis)).not.toContain('op_d');
  expect(await appendEvents(redis, 'op_d', [note('c')], { key: 'c' })).toBe(3);
});

test('a new event ends a wait, also one that starts later', async () => {
  await openStream(redis, 'op_e', { position: 0, fence: 0 });
  const waiting = connectRedis(server.url);
  await awaitNewEvents(waiting, 1);
  await appendEvents(redis, 'op_e', [note('a')], { key: 'a' });
  await awaitNewEvents(waiting, 60);
  const woken = awaitNewEvents(waiting, 60);
  await appendEvents(redis, 'op_e', [note('b')], { key: 'b' });
  await woken;
  waiting.disconnect();
});

test('a batch is appended whole, and once', async () => {
  await openStream(redis, 'op_f', { position: 0, fence: 1 });
  const batch = [note('a'), note('b'), note('c')];
  expect(await appendEvents(redis, 'op_f', batch, { key: '1', fence: 1 })).toBe(3);
  expect(await appendEvents(redis, 'op_f', batch, { key: '1', fence: 1 })).toBe(3);
  await openStream(redis, 'op_f', { position: 0, fence: 2 });
  await expect(appendEvents(redis, 'op_f', batch, { key: '2', fence: 1 })).rejects.toThrow(FencedError);
  expect(await messages('op_f')).toEqual(['1 a', '2 b', '3 c']);
});

test('a stream that Redis does not have continues at the last position in the database', async () => {
  await expect(appendEvents(redis, 'op_g', [note('lost')], { key: '1' })).rejects.toThrow(StreamNotOpenError);
  await openStream(redis, 'op_g', { position: 41, fence: 3 });
  expect(await appendEvents(redis, 'op_g', [note('next')], { key: '2', fence: 3 })).toBe(42);
  await openStream(redis, 'op_g', { position: 12, fence: 0 });
  expect(await appendEvents(redis, 'op_g', [note('after')], { key: '3', fence: 3 })).toBe(43);
});

test('an event from a record that is appended again gets a new position', async () => {
  await openStream(redis, 'op_i', { position: 6, fence: 0 });
  const old = { operationId: 'op_x', position: 3, at: '2026-01-01T00:00:00.000Z', ...note('again') };
  await appendEvents(redis, 'op_i', [old], { key: '1' });
  await redis.xadd('fettle:events:op_i', '8-1', 'at', old.at, 'body', JSON.stringify(old));
  const { events } = await readEvents(redis, 'op_i', 0, 10);
  expect(events.map(({ operationId, position }) => `${operationId} ${position}`)).toEqual([
    'op_i 7',
    'op_i 8',
  ]);
  expect(await redis.xrange('fettle:events:op_i', '7-1', '7-1')).toEqual([
    ['7-1', ['at', expect.any(String), 'key', 'key:1', 'body', JSON.stringify(note('again'))]],
  ]);
});

test('no attempt can append to a sealed stream, but the api can', async () => {
  await openStream(redis, 'op_h', { position: 0, fence: 2 });
  await appendEvents(redis, 'op_h', [note('in time')], { key: '2.1', fence: 2 });
  await sealStream(redis, 'op_h', 0);
  await openStream(redis, 'op_h', { position: 0, fence: 3 });
  for (const fence of [2, 3])
    await expect(appendEvents(redis, 'op_h', [note('late')], { key: `${fence}.2`, fence })).rejects.toThrow(
      FencedError,
    );
  expect(await appendEvents(redis, 'op_h', [note('said twice')], { key: '2.1', fence: 2 })).toBe(1);
  expect(await appendEvents(redis, 'op_h', [note('the end')], { key: 'outbox:1' })).toBe(2);
  expect(await messages('op_h')).toEqual(['1 in time', '2 the end']);
});

test('after Redis lost acknowledged events, their attempt cannot append, but the next attempt can', async () => {
  await openStream(redis, 'op_k', { position: 0, fence: 1, key: claimKey(1) });
  const of = (number: number) => ({ key: `1.${number}`, fence: 1, after: `1.${number - 1}` });
  expect(await appendEvents(redis, 'op_k', [note('a')], of(1))).toBe(1);
  expect(await appendEvents(redis, 'op_k', [], of(2))).toBe(1);
  await redis.del('fettle:events:op_k', 'fettle:events:op_k:seen', 'fettle:events:op_k:fence');
  expect(await openStream(redis, 'op_k', { position: 3, fence: 1 })).toBe(3);
  for (const bodies of [[], [note('b')]])
    await expect(appendEvents(redis, 'op_k', bodies, of(2))).rejects.toThrow(StreamNotOpenError);
  await openStream(redis, 'op_k', { position: 3, fence: 2, key: claimKey(2) });
  expect(await appendEvents(redis, 'op_k', [note('b')], { key: '2.1', fence: 2, after: claimKey(2) })).toBe(
    4,
  );
});

test('a Redis that was restarted or lost its data refuses appends until it is resynced', async () => {
  const append = (key: string) => appendEvents(redis, 'op_l', [note(key)], { key });
  await openStream(redis, 'op_l', { position: 0, fence: 0 });
  await append('a');
  await redis.flushall();
  await expect(append('b')).rejects.toThrow(NotResyncedError);
  // The data is lost again during the resync.
  expect(await resyncStreams(redis, async () => void (await redis.flushall()))).toBe(false);
  await expect(append('b')).rejects.toThrow(NotResyncedError);
  const raise = async () => void (await openStream(redis, 'op_l', { position: 1, fence: 0 }));
  expect(await resyncStreams(redis, raise)).toBe(true);
  expect(await append('b')).toBe(2);
  redis.disconnect();
  await server.stop();
  server = await startRedis({ home: readHome(), folder, fsync: 'everysec' });
  redis = connectRedis(server.url);
  await expect(append('c')).rejects.toThrow(NotResyncedError);
  expect(await resyncStreams(redis, raise)).toBe(true);
  expect(await append('c')).toBe(3);
});
