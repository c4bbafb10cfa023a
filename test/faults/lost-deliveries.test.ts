/** What the outbox gave to Redis, and Redis lost: it is said again where it is not stored, and never where it is. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis, type Redis } from '@fettle/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { until } from './support/observe.ts';

let platform: Platform;
let repository: TestRepository;
let redis: Redis;
beforeAll(async () => {
  platform = await startPlatform({ conversations: [], workers: 0 });
  repository = makeRepository(brokenSum);
  redis = connectRedis(platform.redis.url);
});
afterAll(async () => {
  redis?.disconnect();
  await platform?.close();
  repository?.remove();
});

const request = () => ({ kind: 'fix' as const, description: 'mend', repository: repository.path });
const isStored = (id: string) => async () => (await redis.xlen(`fettle:events:${id}`)) === 0;
const cancel = (id: string) => platform.call('POST', `/v1/operations/${id}/cancel`);

async function expectWhole(id: string): Promise<void> {
  const events = await platform.follow(id);
  expect(findRecordFaults(await platform.get(id), events)).toEqual([]);
}

test('the end of an operation, lost before it is stored, is said again', async () => {
  const { id } = await platform.create(request());
  await until('its first event is stored', isStored(id));
  await cancel(id);
  await redis.flushall();
  await expectWhole(id);
});

test('an event whose delivery the api did not live to see is not said again when it is stored', async () => {
  await platform.api.kill();
  const hold = join(platform.home, 'hold');
  const doomed = await platform.startApi({ FETTLE_TEST_CRASH: 'outbox-delivered', FETTLE_TEST_HOLD: hold });
  const creating = platform.create(request()).catch(() => {});
  await until('delivered', () => existsSync(hold));
  await doomed.kill();
  await creating;
  rmSync(hold);
  const [id = ''] = await redis.smembers('fettle:events:unstored');
  await platform.startApi();
  await until('its first event is stored', isStored(id));
  // Before the outbox is looked at, which comes two seconds after the start.
  await redis.flushall();
  await cancel(id);
  await expectWhole(id);
});
