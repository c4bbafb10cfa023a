/** The sandbox broker or its engine is away for a while: operations wait and continue, and no attempt counts as lost. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { beforeEach, expect, test } from 'vitest';
import { type FakeEngine, startFakeEngine } from '../support/fake-engine.ts';
import { atEnd, openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, type TestRepository } from '../support/repository.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilActivity } from './support/observe.ts';

/** For longer tries: 20, 90. */
const awaySeconds = Number(process.env.FETTLE_TEST_AWAY_SECONDS ?? 8);
const key = 'a-key-of-the-broker-of-this-test';
const rest = turn(call('run_command', { command: 'sleep 3' }));
const steady = conversation('steady', [repairSum, rest, turn(call('git_diff', {})), turn(say('Mended'))]);

let folder: string;
let engine: FakeEngine;
let broker: ServiceProcess;
let platform: Platform;
let repository: TestRepository;

const startBroker = () =>
  startService('services/sandbox-broker/src/main.ts', {
    ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN },
    DOCKER_HOST: engine.address,
    FETTLE_BROKER_KEY: key,
    FETTLE_BROKER_SOCKET: join(folder, 'broker.sock'),
    FETTLE_LOG_LEVEL: 'warn',
  });

beforeEach(async () => {
  folder = openFolder('fettle-engine');
  engine = await startFakeEngine(folder);
  atEnd(() => engine.stop());
  broker = await startBroker();
  atEnd(() => broker.stop());
  platform = await openPlatform({
    conversations: [steady],
    settings: {
      FETTLE_SANDBOX: 'docker',
      FETTLE_BROKER_URL: `unix://${join(folder, 'broker.sock')}`,
      FETTLE_BROKER_KEY: key,
      FETTLE_WORKER_NAME: 'worker-a',
      FETTLE_LEASE_SECONDS: '2',
      // One lost attempt would end an operation.
      FETTLE_MAX_ATTEMPTS: '1',
    },
  });
  repository = openRepository(brokenSum);
});

const create = (description: string) => platform.create(repository.request('fix', description));

/** Takes something away in the middle of a command, and creates another operation meanwhile. */
async function expectWaiting(why: RegExp, away: () => Promise<unknown>, back: () => Promise<unknown>) {
  const { id } = await create('running');
  await untilActivity(platform, id, /run_command/);
  await away();
  const waits = new RegExp(`^queued: waits for a worker; worker-a cannot work: ${why.source}`);
  const started = performance.now();
  await untilActivity(platform, id, waits);
  const later = await create('created meanwhile');
  await untilActivity(platform, later.id, waits);
  await sleep(awaySeconds * 1000 - (performance.now() - started));
  expect(await platform.get(later.id)).toMatchObject({ state: 'queued', attempts: 0 });
  await back();
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBeLessThanOrEqual(3);
  await expectProposal(platform, repository, later.id);
}

test.each([
  ['is killed', (): Promise<unknown> => broker.kill()],
  ['is stopped', (): Promise<unknown> => broker.stop()],
])('the broker %s in the middle of a command', async (_how, away) => {
  await expectWaiting(/the sandbox broker does not answer/, away, async () => {
    broker = await startBroker();
  });
  expect(platform.worker.log().match(/takes no more jobs/g)).toHaveLength(1);
});

test('the engine restarts in the middle of a command', async () => {
  await expectWaiting(
    /the sandbox broker cannot start sandboxes: the engine does not answer/,
    () => engine.stop(),
    () => engine.restart(),
  );
});
