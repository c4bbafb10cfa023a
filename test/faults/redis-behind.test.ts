/** Redis loses some or all of its data while worker and api run: nothing is missing in the record or recorded twice. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis } from '@fettle/queue';
import { startRedis } from '@fettle/queue/redis';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { atEnd, openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { until, untilActivity } from './support/observe.ts';

const steps = [
  repairSum,
  turn(call('run_command', { command: 'sleep 4' })),
  turn(call('git_diff', {})),
  turn(say('Mended')),
];

const toolsHome = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
const startOurs = () => startRedis({ home: toolsHome, folder, fsync: 'everysec' });
const folder = openFolder('redis-behind');
let redis = await startOurs();
atEnd(() => redis.stop());
const platform = await openPlatform({
  conversations: [conversation('steps', steps, { repeatOn: 'This call was interrupted' })],
  settings: { REDIS_URL: redis.url, FETTLE_LEASE_SECONDS: '3' },
  workers: 0,
});
const repository = openRepository(brokenSum);

const create = () => platform.create(repository.request('fix', 'steps'));

/** Cuts the append-only file at the last occurrence of the words. */
function cutFile(words: string): void {
  const place = join(folder, 'appendonlydir');
  const file = join(place, readdirSync(place).find((name) => name.includes('.incr.')) ?? '');
  const text = readFileSync(file, 'latin1');
  const at = text.lastIndexOf(words);
  expect(at).toBeGreaterThan(0);
  truncateSync(file, text.lastIndexOf('*1\r\n$5\r\nMULTI', at));
}

test('Redis returns without the newest events, which Postgres has', async () => {
  const worker = await platform.startWorker();
  const { id } = await create();
  await untilActivity(platform, id, /run_command/);
  process.kill(redis.pid, 'SIGKILL');
  await redis.exited;
  cutFile('"type":"turn.started","turn":2');
  redis = await startOurs();
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBe(2);
  expect(platform.api.log()).toContain('Redis lost events that are stored');
  await worker.stop();
});

test('Redis is unavailable while a worker is suspended past its lease: the worker keeps its operation', async () => {
  const worker = await platform.startWorker();
  const { id } = await create();
  await untilActivity(platform, id, /run_command/);
  process.kill(redis.pid, 'SIGKILL');
  await redis.exited;
  process.kill(worker.pid, 'SIGSTOP');
  await sleep(5_000);
  process.kill(worker.pid, 'SIGCONT');
  await sleep(2_000);
  redis = await startOurs();
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBe(1);
  await worker.stop();
});

test('Redis loses an answer that was not stored yet', async () => {
  const hold = join(folder, 'hold');
  const worker = await platform.startWorker({
    FETTLE_TEST_CRASH: 'answered:4,answer-recorded:4',
    FETTLE_TEST_HOLD: hold,
  });
  const { id } = await create();
  await until('answered', () => existsSync(hold));
  process.kill(platform.api.pid, 'SIGSTOP');
  rmSync(hold);
  await until('recorded', () => existsSync(hold) && readFileSync(hold, 'utf8') === 'answer-recorded');
  const connection = connectRedis(redis.url);
  await connection.flushall();
  connection.disconnect();
  process.kill(platform.api.pid, 'SIGCONT');
  writeFileSync(`${hold}.off`, '');
  rmSync(hold);
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBeGreaterThan(1);
  await worker.stop();
});
