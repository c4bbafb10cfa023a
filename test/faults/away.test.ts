/** Redis, Postgres or the model is unavailable for some seconds: this is reported, no process busy-waits, and the work continues. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '@fettle/queue/redis';
import { call, conversation, type Rehearsal, say, startRehearsal, turn } from '@fettle/rehearsal';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PostgresServer } from '../../packages/database/src/testing/postgres-server.ts';
import {
  atEnd,
  openFolder,
  openPlatform,
  openPostgres,
  openRepository,
  postgresBinaries,
} from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, type TestRepository } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { until, untilActivity } from './support/observe.ts';

const awaySeconds = 6;
const rest = turn(call('run_command', { command: 'sleep 2' }));
const steady = conversation('steady', [repairSum, rest, turn(call('git_diff', {})), turn(say('Mended'))]);

let postgres: PostgresServer;
let redisFolder: string;
let redis: Awaited<ReturnType<typeof startOurRedis>>;
let model: Rehearsal;
let platform: Platform;
let repository: TestRepository;

function startOurRedis() {
  const home = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
  return startRedis({ home, folder: redisFolder, fsync: 'everysec' });
}
const startModel = (port = 0) => startRehearsal({ conversations: [steady], port, onFailure() {} });

describe.skipIf(postgresBinaries === undefined)('with a Postgres server', () => {
  beforeAll(async () => {
    redisFolder = openFolder('fettle-redis');
    [postgres, redis, model] = await Promise.all([openPostgres(), startOurRedis(), startModel()]);
    atEnd(() => Promise.all([redis.stop(), model.close()]));
    platform = await openPlatform({
      conversations: [steady],
      settings: {
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        ANTHROPIC_BASE_URL: model.url,
        FETTLE_LEASE_SECONDS: '2',
        FETTLE_RATE_LIMIT: '100000',
      },
    });
    repository = openRepository(brokenSum);
  });

  const request = (description: string) => repository.request('fix', description);

  async function ask(method: 'GET' | 'POST', path: string, body?: unknown) {
    const signal = AbortSignal.timeout(15_000);
    const response = await fetch(platform.url + path, {
      method,
      signal,
      headers: { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string } };
  }

  const unavailable = (message: string) => ({
    status: 503,
    body: { error: { code: 'unavailable', message, advice: expect.any(String) } },
  });

  /** Probes like a balancer does, and sees to it that waiting costs neither much time nor much log. */
  async function watchWhileAway(probe: () => Promise<unknown>): Promise<void> {
    const services = [platform.api, platform.worker];
    const before = services.map(({ pid, log }) => ({ cpu: cpuSeconds(pid), lines: countLines(log()) }));
    const end = performance.now() + awaySeconds * 1000;
    while (performance.now() < end) {
      await probe();
      await sleep(100);
    }
    for (const [index, { pid, log }] of services.entries()) {
      const cpu = cpuSeconds(pid) - (before[index]?.cpu ?? 0);
      const lines = countLines(log()) - (before[index]?.lines ?? 0);
      const name = index === 0 ? 'api' : 'worker';
      console.info(
        `${name} in ${awaySeconds} s of waiting: ${cpu} s of processor time, ${lines} lines of log`,
      );
      expect({ name, busy: cpu > awaySeconds / 2 }).toEqual({ name, busy: false });
      expect({ name, flood: lines > 8 && log() }).toEqual({ name, flood: false });
    }
  }

  const ready = () => until('ready', async () => (await ask('GET', '/readyz')).status === 200);

  async function expectFinished(id: string): Promise<void> {
    const { operation } = await expectProposal(platform, repository, id);
    expect(operation.attempts).toBe(1);
  }

  test('Redis', async () => {
    const { id } = await platform.create(request('without Redis'));
    await untilActivity(platform, id, /run_command/);
    await redis.stop();
    const created = await ask('POST', '/v1/operations', request('asked for without Redis'));
    expect(created).toMatchObject({ status: 201, body: { state: 'queued' } });
    for (const each of [id, created.body.id])
      await untilActivity(platform, each, /^(queued|acting): waits for Redis, which does not answer$/);
    await watchWhileAway(async () => {
      expect(await ask('GET', '/readyz')).toEqual(unavailable('Redis does not answer'));
      expect((await ask('GET', `/v1/operations/${id}`)).status).toBe(200);
    });
    redis = await startOurRedis();
    await ready();
    await expectFinished(id);
    await expectFinished(created.body.id);
    const told = platform.api
      .log()
      .match(/Redis (does not answer; operations wait until it recovers|answers again)/g);
    expect(told).toEqual(['Redis does not answer; operations wait until it recovers', 'Redis answers again']);
  });

  test('Postgres', async () => {
    const { id } = await platform.create(request('without Postgres'));
    await untilActivity(platform, id, /run_command/);
    await postgres.halt('SIGINT');
    await watchWhileAway(async () => {
      const answers = await Promise.all([
        ask('GET', '/readyz'),
        ask('GET', `/v1/operations/${id}`),
        ask('POST', '/v1/operations', request('not now')),
        ask('POST', `/v1/operations/${id}/cancel`),
      ]);
      expect(answers).toEqual(answers.map(() => unavailable('the database does not answer')));
      expect((await ask('GET', '/healthz')).status).toBe(200);
    });
    await postgres.start();
    await ready();
    await expectFinished(id);
  });

  test('the model', async () => {
    const { port } = model;
    await model.close();
    const { id } = await platform.create(request('without a model'));
    await untilActivity(platform, id, /waits for the model, try \d/);
    await watchWhileAway(async () => expect((await ask('GET', '/readyz')).status).toBe(200));
    model = await startModel(port);
    await expectFinished(id);
  });
});

const countLines = (text: string) => text.split('\n').filter((line) => /^[{ ]/.test(line)).length;

/** Time in user and kernel mode, in ticks of a hundredth of a second. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
