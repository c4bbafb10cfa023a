import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@fettle/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis } from './connection.ts';
import {
  appendEvent,
  awaitNewEvents,
  FencedError,
  listUnstored,
  markStored,
  readEvents,
} from './event-stream.ts';
import { readHome } from './redis/home-config.ts';
import { type RunningRedis, startRedis } from './redis/start-redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-stream-'));
let server: RunningRedis;
let redis: ReturnType<typeof connectRedis>;
beforeAll(async () => {
  server = await startRedis({ home: readHome(), folder, fsync: 'everysec' });
  redis = connectRedis(server.url);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const note = (message: string): EventBody => ({ type: 'notice', level: 'info', code: 'test', message });
const messages = async (operationId: string, after = 0) =>
  (await readEvents(redis, operationId, after, 1_000)).map(
    (event) => event.type === 'notice' && `${event.position} ${event.message}`,
  );

test('positions are 1, 2, 3 … whoever appends, and can be read from any of them', async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `n${i}`);
  const positions = await Promise.all(
    texts.map((text) => appendEvent(redis, 'op_a', note(text), { key: text })),
  );
  expect([...positions].sort((a, b) => a - b)).toEqual(texts.map((_text, index) => index + 1));
  expect(await messages('op_a', 18)).toHaveLength(2);
});

test('the same key is appended once and keeps its position', async () => {
  expect(await appendEvent(redis, 'op_b', note('first'), { key: 'k' })).toBe(1);
  expect(await appendEvent(redis, 'op_b', note('again'), { key: 'k' })).toBe(1);
  expect(await appendEvent(redis, 'op_b', note('next'), { key: 'position' })).toBe(2);
  expect(await messages('op_b')).toEqual(['1 first', '2 next']);
});

test('an older owner can no longer append', async () => {
  await appendEvent(redis, 'op_c', note('of the first'), { key: '1', fence: 1 });
  await appendEvent(redis, 'op_c', note('of the second'), { key: '2', fence: 2 });
  await expect(appendEvent(redis, 'op_c', note('late'), { key: '3', fence: 1 })).rejects.toThrow(FencedError);
  expect(await messages('op_c')).toEqual(['1 of the first', '2 of the second']);
});

test('what is stored is trimmed, and an operation with newer events stays on the list', async () => {
  await appendEvent(redis, 'op_d', note('a'), { key: 'a' });
  await appendEvent(redis, 'op_d', note('b'), { key: 'b' });
  await markStored(redis, 'op_d', 1);
  expect(await messages('op_d')).toEqual(['2 b']);
  expect(await listUnstored(redis)).toContain('op_d');
  await markStored(redis, 'op_d', 2);
  expect(await listUnstored(redis)).not.toContain('op_d');
  expect(await appendEvent(redis, 'op_d', note('c'), { key: 'c' })).toBe(3);
});

test('who waits is woken, also when the event came before the wait', async () => {
  const waiting = connectRedis(server.url);
  await awaitNewEvents(waiting, 1);
  await appendEvent(redis, 'op_e', note('a'), { key: 'a' });
  await awaitNewEvents(waiting, 60);
  const woken = awaitNewEvents(waiting, 60);
  await appendEvent(redis, 'op_e', note('b'), { key: 'b' });
  await woken;
  waiting.disconnect();
});
