/** A worker that is frozen beyond its lease and then continues changes nothing, notices that, and serves the next operation. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interruptedOutput } from '@fettle/agent';
import type { Event } from '@fettle/contract';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { shell, shellFile } from '../support/shell-file.ts';
import { countAnswers, findFaults, type findRecordFaults } from './support/check-operation.ts';
import { listRemains, until, untilActivity, untilState } from './support/observe.ts';

const mend = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const finish = turn(say('Mended'));
const thoughtful = { ...finish, faults: [{ stall: 'before-headers' as const }] };
/** Slow the first time in each round. */
const slowly = (round: string) =>
  shell(`echo ${round} >> slow.txt; mkdir "$PWD/../../../${round}" && sleep 60`);
const repeatOn = interruptedOutput.slice(0, 40);
const places = ['think', 'command', 'before-push', 'after-push'];

const rounds = ['first', 'second'];
const platform = await openPlatform({
  conversations: [
    ...rounds.map((round) => conversationFor(`think ${round}`, turn(mend), thoughtful)),
    ...rounds.map((round) =>
      conversation(
        `command-${round}`,
        [turn(mend), turn(call('run_command', { command: slowly(round) })), finish],
        { match: `command ${round}`, repeatOn },
      ),
    ),
    conversation('late', [turn(mend), turn(call('run_command', { command: 'sleep 2' })), finish], {
      match: 'late',
      repeatOn,
    }),
    conversation('mend', [turn(mend), finish]),
  ],
  settings: { FETTLE_LEASE_SECONDS: '3', FETTLE_MODEL_IDLE_SECONDS: '300' },
  workers: 0,
});
const repository = openRepository({ ...brokenSum, ...shellFile });

const request = (description: string) => repository.request('fix', description);

interface Frozen {
  workers: ServiceProcess[];
  ids: string[];
  /** Lets all of them go on. */
  thaw(): void;
}

/** One worker for each place. Each gets there with its own operation and is stopped with SIGSTOP. */
async function freeze(round: string): Promise<Frozen> {
  const holds = places.map((place) => join(platform.home, `hold-${round}-${place}`));
  const workers = await Promise.all(
    holds.map((hold, index) =>
      platform.startWorker({
        FETTLE_TEST_CRASH: 'before-push,after-push',
        FETTLE_TEST_HOLD: hold,
        FETTLE_CONCURRENCY: '1',
        FETTLE_WORKER_NAME: `frozen-${index}`,
      }),
    ),
  );
  const ids = [];
  for (const place of places) ids.push((await platform.create(request(`${place} ${round}`))).id);
  const [thinking = '', running = ''] = ids;
  const held = () => holds.filter(existsSync);
  const [first] = await until('two before their push', () => held().length === 2 && held());
  // One of the two pushes, and is stopped after that.
  rmSync(first as string);
  await until('one after its push', () => held().length === 2);
  await untilActivity(platform, thinking, /waits for the model \(turn 2\)/);
  await untilActivity(platform, running, /run_command/);
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
  const thaw = () => {
    for (const hold of holds) writeFileSync(`${hold}.off`, '');
    for (const hold of holds) rmSync(hold, { force: true });
    for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  };
  return { workers, ids, thaw };
}

function faultsOf(operation: Parameters<typeof findRecordFaults>[0], events: Event[]): string[] {
  return findFaults(operation, events, repository);
}

test.each([
  { round: 'first', when: 'after its successor has finished' },
  { round: 'second', when: 'while its successor works' },
])('a worker that continues $when', async ({ round }) => {
  const { workers, ids, thaw } = await freeze(round);
  const successor = await platform.startWorker({ FETTLE_WORKER_NAME: 'successor' });
  if (round === 'second') {
    for (const id of ids) await until('a second attempt', async () => (await platform.get(id)).attempts >= 2);
    thaw();
  }
  const records = [];
  for (const id of ids) records.push(await platform.follow(id));
  if (round === 'first') thaw();
  await until('nothing left', () => listRemains(platform.home).length === 0);
  await successor.stop();

  for (const [index, id] of ids.entries()) {
    const events = await platform.follow(id);
    expect(events).toEqual(records[index]);
    const operation = await platform.get(id);
    expect({ id, faults: faultsOf(operation, events) }).toEqual({ id, faults: [] });
    expect(operation).toMatchObject({
      state: 'awaiting_approval',
      outcome: { kind: 'proposal', draft: false },
    });
    const paid = countAnswers(platform.rehearsal.requests(), operation.request.description);
    // On a busy machine a successor may lose its lease too, and with it an answer that was on its way.
    const lostToo = operation.attempts - 2;
    const { turns } = operation.totals;
    expect({ id, lostToo: lostToo >= 0 }).toEqual({ id, lostToo: true });
    expect({ id, paidTwice: paid > turns + lostToo }).toEqual({ id, paidTwice: false });
    expect(workersOf(events).at(-1)).toBe('successor');
  }
  await expectServing(workers, round);
});

test('a worker that continues after its operation was taken and before it is claimed again does not change the record', async () => {
  const worker = await platform.startWorker();
  const { id } = await platform.create(request('late'));
  await untilActivity(platform, id, /run_command/);
  process.kill(worker.pid, 'SIGSTOP');
  await platform.call('POST', `/v1/operations/${id}/pause`);
  await untilState(platform, id, 'paused');
  process.kill(worker.pid, 'SIGCONT');
  await until('nothing left', () => listRemains(platform.home).length === 0);
  await platform.call('POST', `/v1/operations/${id}/resume`);
  const events = await platform.follow(id);
  const paused = events.findIndex((event) => event.type === 'operation.state' && event.to === 'paused');
  expect(events[paused + 1]).toMatchObject({ type: 'operation.state', from: 'paused', to: 'queued' });
  expect(faultsOf(await platform.get(id), events)).toEqual([]);
  await worker.stop();
});

/** Each of them takes one operation. */
async function expectServing(workers: ServiceProcess[], round: string): Promise<void> {
  const later = await Promise.all(
    workers.map((_, index) => platform.create(request(`serve ${round} ${index}`))),
  );
  const records = await Promise.all(later.map(({ id }) => platform.follow(id)));
  expect(records.flatMap(workersOf).toSorted()).toEqual(workers.map((_, index) => `frozen-${index}`));
  const ends = await Promise.all(workers.map(({ kill }) => kill('SIGTERM')));
  expect(ends.map(({ code }) => code)).toEqual(workers.map(() => 0));
}

function workersOf(events: Event[]): string[] {
  return ofType(events, 'attempt.started').map(({ worker }) => worker);
}
