import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@fettle/log';
import { connectRedis } from '@fettle/queue';
import { startRedis } from '@fettle/queue/redis';
import { expect, onTestFinished, test } from 'vitest';
import { watchRedis } from './redis-watch.ts';

test('a Redis that answers but refuses writes counts as faulty until it accepts them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redis-watch-'));
  const home = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
  const server = await startRedis({ home, folder, fsync: 'everysec' });
  const redis = connectRedis(server.url);
  const watch = watchRedis(redis, createLog('test', 'silent', String));
  onTestFinished(async () => {
    watch.stop();
    redis.disconnect();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const expectFault = (fault: string | undefined) =>
    expect.poll(watch.fault, { timeout: 20_000 }).toBe(fault);
  await expectFault(undefined);
  await redis.config('SET', 'maxmemory', '1');
  expect(await redis.ping()).toBe('PONG');
  await expectFault('refuses writes');
  await redis.config('SET', 'maxmemory', '0');
  await expectFault(undefined);
});
