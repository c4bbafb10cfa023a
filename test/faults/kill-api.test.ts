/** `kill -9` of the api at every crash point of an operation: the worker waits, and everything happens once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, OperationDetail } from '@fettle/contract';
import { afterAll, expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { countAnswers, findFaults, findPaidTwice } from './support/check-operation.ts';
import { march, walkFiles, walkParts } from './support/walk.ts';

const folder = openFolder('kill-api');
const victim = join(folder, 'victim');

let restarts = 0;
let pullRequests = 0;
let closing = false;
let api: ServiceProcess;

/** Restarts the api whenever it dies, and stores its current process id. */
async function keepUp(started: ServiceProcess): Promise<void> {
  api = started;
  writeFileSync(victim, String(started.pid));
  await started.exited;
  if (closing) return;
  restarts += 1;
  await keepUp(await platform.startApi());
}

const platform = await openPlatform({
  conversations: [march],
  settings: { FETTLE_LEASE_SECONDS: '3' },
  workers: 0,
});
const repository = openRepository(walkFiles);
void keepUp(platform.api);
afterAll(() => {
  closing = true;
});

const request = (description: string) => ({
  ...{ kind: 'fix' as const, description, repository: repository.path, review: false },
});

/** Follows the operation through restarts of the api. */
async function followThrough(id: string): Promise<Event[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await platform.follow(id);
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function expectWhole(id: string, words: string): Promise<void> {
  const events = await followThrough(id);
  const operation: OperationDetail = await platform.get(id);
  pullRequests += 1;
  const faults = findFaults(operation, events, repository);
  expect(faults).toEqual([]);
  expect(operation).toMatchObject({
    totals: { parts: walkParts, turns: march.turns.length },
    outcome: { kind: 'proposal', draft: false },
  });
  expect(findPaidTwice(platform.rehearsal.requests(), words, events)).toEqual([]);
  // An answer that never arrived, because its attempt or its stream ended, is not recorded and is requested again.
  const askedAgain = countAnswers(platform.rehearsal.requests(), words) - march.turns.length;
  expect(askedAgain).toBeGreaterThanOrEqual(0);
  const retries = ofType(events, 'turn.retried').length;
  expect(askedAgain).toBeLessThanOrEqual(operation.attempts - 1 + retries);
  // Numbers rise one by one, so that a pull request too many would show in all that follow.
  expect(operation.outcome).toMatchObject({ pullRequest: { number: pullRequests } });
}

/** The last step of the worker when the api dies. */
const moments = [
  'claimed',
  'answered',
  'answer-recorded',
  'tool-ran',
  'part-finished',
  'checkpointed',
  'verified,committed,commit-recorded,before-push,after-push',
  'before-pull-request,after-pull-request,before-settle,after-settle',
];

test.each(moments)('killed each time the worker is at: %s', async (points) => {
  const before = restarts;
  const worker = await platform.startWorker({ FETTLE_TEST_CRASH: points, FETTLE_TEST_VICTIM: victim });
  const words = `march past ${points}`;
  const { id } = await platform.create(request(words));
  await expectWhole(id, words);
  expect(restarts).toBeGreaterThan(before);
  await worker.kill();
});

/** The crash points of the api: what it wrote is stored, and the next step has not happened. */
const places = [
  'created',
  'claimed',
  'transition',
  'events-stored',
  'outbox-delivered',
  'pull-request-stored',
  'settled',
];

test.each(places)('killed at its own crash point: %s', async (place) => {
  const before = restarts;
  const words = `march on ${place}`;
  const key = `key-${place}`;
  const worker = await platform.startWorker();
  const doomed = platform.startApi;
  platform.startApi = (more = {}) =>
    doomed({ ...more, ...(restarts === before + 1 && { FETTLE_TEST_CRASH: place }) });
  await api.kill();
  const id = await createWithKey(words, key);
  await expectWhole(id, words);
  await expect.poll(() => restarts, { timeout: 60_000 }).toBe(before + 2);
  platform.startApi = doomed;
  await worker.kill();
});

/** Like a client whose request was cut off: repeats it with the same key. */
async function createWithKey(description: string, key: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const headers = { 'idempotency-key': key };
      const response = await platform.call('POST', '/v1/operations', { body: request(description), headers });
      return ((await response.json()) as { id: string }).id;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
