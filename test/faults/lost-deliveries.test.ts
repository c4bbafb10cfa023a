/** Events that the outbox delivered and Redis lost are delivered again only if they are not stored. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { expect, test } from 'vitest';
import { atEnd, openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { until } from './support/observe.ts';

const platform = await openPlatform({ conversations: [], workers: 0 });
const repository = openRepository(brokenSum);
const redis = connectRedis(platform.redis.url);
atEnd(() => redis.disconnect());

const request = () => repository.request('fix', 'mend');
const isStored = (id: string) => async () => (await redis.xlen(`fettle:events:${id}`)) === 0;
const cancel = (id: string) => platform.call('POST', `/v1/operations/${id}/cancel`);

async function expectWhole(id: string): Promise<void> {
  const events = await platform.follow(id);
  expect(findRecordFaults(await platform.get(id), events)).toEqual([]);
}

test('the end of an operation that is lost before it is stored is delivered again', async () => {
  const { id } = await platform.create(request());
  await until('its first event is stored', isStored(id));
  await cancel(id);
  await redis.flushall();
  await expectWhole(id);
});

test('a stored event is not delivered again if the api died after its first delivery', async () => {
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
