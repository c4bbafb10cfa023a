/** `kill -9` of the api at every boundary and seam of an operation: the worker waits, and everything happens once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, OperationDetail } from '@fettle/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import {
  countAnswers,
  findPaidTwice,
  findProposalFaults,
  findRecordFaults,
} from './support/check-operation.ts';
import { march, walkFiles, walkParts } from './support/walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'kill-api-'));
const victim = join(folder, 'victim');

let platform: Platform;
let repository: TestRepository;
let restarts = 0;
let pullRequests = 0;
let closing = false;
let api: ServiceProcess;

/** Starts the api again whenever it has died, and says which process it is now. */
async function keepUp(started: ServiceProcess): Promise<void> {
  api = started;
  writeFileSync(victim, String(started.pid));
  await started.exited;
  if (closing) return;
  restarts += 1;
  await keepUp(await platform.startApi());
}

beforeAll(async () => {
  platform = await startPlatform({
    conversations: [march],
    settings: { FETTLE_LEASE_SECONDS: '3' },
    workers: 0,
  });
  repository = makeRepository(walkFiles);
  void keepUp(platform.api);
});
afterAll(async () => {
  closing = true;
  await platform?.close();
  repository?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const request = (description: string) => ({
  ...{ kind: 'fix' as const, description, repository: repository.path, review: false },
});

/** Follows through every restart, from the last event that was seen. */
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
  const faults = [
    ...findRecordFaults(operation, events),
    ...findProposalFaults(operation, events, repository),
  ];
  expect(faults).toEqual([]);
  expect(operation).toMatchObject({
    totals: { parts: walkParts, turns: march.turns.length },
    outcome: { kind: 'proposal', draft: false },
  });
  expect(findPaidTwice(platform.rehearsal.requests(), words, events)).toEqual([]);
  // An answer that did not arrive, with its attempt or its stream, is not on record, and that one is asked for again.
  const askedAgain = countAnswers(platform.rehearsal.requests(), words) - march.turns.length;
  expect(askedAgain).toBeGreaterThanOrEqual(0);
  const retries = events.filter(({ type }) => type === 'turn.retried').length;
  expect(askedAgain).toBeLessThanOrEqual(operation.attempts - 1 + retries);
  // Numbers rise one by one, so that a pull request too many would show in all that follow.
  expect(operation.outcome).toMatchObject({ pullRequest: { number: pullRequests } });
}

/** What the worker has just done when the api dies. */
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

/** Where the api itself is when it dies: what it wrote is there, what follows from it is not. */
const places = [
  'created',
  'claimed',
  'transition',
  'events-stored',
  'outbox-delivered',
  'pull-request-stored',
  'settled',
];

test.each(places)('killed in itself, at: %s', async (place) => {
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

/** As a client does whose request was cut off: again, with the same key. */
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
