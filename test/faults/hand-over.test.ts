/** A worker that gets SIGTERM takes no more operations, stops after the current part if that ends soon, and another worker continues. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { interruptedOutput } from '@fettle/agent';
import type { Event } from '@fettle/contract';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { toolParts } from '../support/events.ts';
import { openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import type { Environment, ServiceProcess } from '../support/service-process.ts';
import { shell, shellFile } from '../support/shell-file.ts';
import { countAnswers } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { measure, until, untilActivity, untilState } from './support/observe.ts';

const finish = turn(say('Mended'));
const run = (command: string) => turn(call('run_command', { command }));
const once = (name: string) =>
  shell(`mkdir "$PWD/../../../${name}" && trap '' TERM && sleep 97531.5 && sleep 97531.5`);
/** Ends when a file with this name exists in the platform's home. */
const patient = (name: string) => shell(`until [ -e "$PWD/../../../${name}" ]; do sleep 0.1; done`);
const unanswered = { ...finish, faults: [{ stall: 'before-headers' as const }] };
const busy = { status: 429, retryAfterSeconds: 60 };
const repeatOn = interruptedOutput.slice(0, 40);

const platform = await openPlatform({
  conversations: [
    conversationFor('short', repairSum, run(patient('enough')), finish),
    conversation('long', [repairSum, run(once('long')), finish], { match: 'long', repeatOn }),
    conversationFor('silent', repairSum, unanswered),
    conversationFor('patience', { ...repairSum, faults: [busy] }, finish),
    conversation('mend', [repairSum, finish]),
  ],
  // One lost attempt would be the end: an operation that is handed over has not lost any. The lease is shorter than
  // handing over may take, and longer than a busy machine keeps a worker silent.
  settings: { FETTLE_LEASE_SECONDS: '10', FETTLE_MODEL_IDLE_SECONDS: '300', FETTLE_MAX_ATTEMPTS: '1' },
  workers: 0,
});
const repository = openRepository({ ...brokenSum, ...shellFile });

const startWorker = (settings?: Environment) => openWorker(platform, settings);

const create = (description: string) => platform.create(repository.request('fix', description));

/** A worker that could not hand over within 30 s exits with another code, and leaves nothing behind either. */
async function expectCleanExit(worker: ServiceProcess, code = 0): Promise<void> {
  expect(await worker.exited).toEqual({ code, signal: null });
  const sandboxes = join(platform.home, 'sandboxes');
  expect(readdirSync(sandboxes).filter((name) => name.startsWith('sandbox-'))).toEqual([]);
  expect(findProcesses(sandboxes)).toEqual([]);
  const mirrors = readdirSync(join(platform.home, 'mirrors'), { recursive: true, encoding: 'utf8' });
  expect(mirrors.filter((name) => name.endsWith('.lock'))).toEqual([]);
}

/** Nothing is lost or repeated, and this attempt finished the operation. */
async function expectFinished(id: string, attempts: number): Promise<Event[]> {
  const { operation, events } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBe(attempts);
  const paid = countAnswers(platform.rehearsal.requests(), operation.request.description);
  expect({ id, paid }).toEqual({ id, paid: operation.totals.turns });
  return events;
}

const statusesOf = (events: Event[]) => toolParts(events).map(({ status }) => status);

test('a part that is short is finished first', async () => {
  const worker = await startWorker();
  const { id } = await create('a short command');
  await untilActivity(platform, id, /run_command/);
  const ending = measure('handed over after a short part', () => worker.kill('SIGTERM'));
  await sleep(1_000);
  writeFileSync(join(platform.home, 'enough'), '');
  await ending;
  await expectCleanExit(worker);
  expect(await platform.get(id)).toMatchObject({
    state: 'queued',
    attempts: 1,
    activity: 'queued: waits for a free worker',
  });
  const next = await startWorker();
  const events = await expectFinished(id, 2);
  await next.stop();
  expect(statusesOf(events)).toEqual(['ok', 'ok']);
  const handedOver = events.find((event) => event.type === 'operation.state' && event.to === 'queued');
  expect(handedOver).toMatchObject({ from: 'acting', reason: 'worker_stopped', attempt: 1 });
});

test('a long command and a model that never answers are cut off in time', async () => {
  const worker = await startWorker();
  const long = await create('a long command');
  const silent = await create('a silent model');
  await untilActivity(platform, long.id, /run_command/);
  await untilActivity(platform, silent.id, /waits for the model \(turn 2\)/);
  const ending = measure('handed over what has no end', () => worker.kill('SIGTERM'));
  const late = await create('nobody takes it');
  await ending;
  await expectCleanExit(worker);
  for (const { id } of [long, silent]) await untilState(platform, id, 'queued');
  expect(await platform.get(late.id)).toMatchObject({ state: 'queued', attempts: 0 });
  const next = await startWorker();
  expect(statusesOf(await expectFinished(long.id, 2))).toEqual(['ok', 'interrupted', 'failed']);
  expect(statusesOf(await expectFinished(silent.id, 2))).toEqual(['ok']);
  await expectFinished(late.id, 1);
  await next.stop();
});

test('a pause between two tries to reach the model is cut short', async () => {
  const worker = await startWorker();
  const { id } = await create('a model that asks for patience');
  await untilActivity(platform, id, /waits for the model, try 2/);
  // What is under way would be given 25 seconds.
  expect(await measure('handed over in a pause', () => worker.kill('SIGTERM'))).toBeLessThan(20_000);
  await expectCleanExit(worker);
  const next = await startWorker();
  await expectFinished(id, 2);
  await next.stop();
});

test('an operation that arrives at that moment is handed over too', async () => {
  await platform.api.stop();
  const hold = join(platform.home, 'hold');
  const api = await platform.startApi({ FETTLE_TEST_CRASH: 'claimed', FETTLE_TEST_HOLD: hold });
  const worker = await startWorker();
  // Not awaited: the api may be held before it has answered.
  const creating = create('in the very moment');
  await until('a claim', () => existsSync(hold));
  const ending = measure('handed over what had just come', () => worker.kill('SIGTERM'));
  writeFileSync(`${hold}.off`, '');
  rmSync(hold);
  await ending;
  const { id } = await creating;
  await expectCleanExit(worker);
  expect(await platform.get(id)).toMatchObject({ state: 'queued', attempts: 1, totals: { turns: 0 } });
  const next = await startWorker();
  await expectFinished(id, 2);
  await next.stop();
  await api.stop();
});

test('while the api is unavailable, nothing can be handed over, and nothing is left behind', async () => {
  await platform.api.stop();
  const api = await platform.startApi();
  const enough = join(platform.home, 'enough');
  rmSync(enough, { force: true });
  const worker = await startWorker({ FETTLE_CONCURRENCY: '1' });
  const short = await create('short, and nobody hears of it');
  await untilActivity(platform, short.id, /run_command/);
  const late = await create('claimed by nobody');
  await api.kill();
  const second = await startWorker();
  await until('a worker that waits', () => /it takes no more jobs/.test(second.log()));
  const waiting = measure('stopped while it waited', () => second.kill('SIGTERM'));
  const handingOver = measure('gave up handing over', () => worker.kill('SIGTERM'));
  writeFileSync(enough, '');
  await waiting;
  expect(await second.exited).toEqual({ code: 0, signal: null });
  await handingOver;
  await expectCleanExit(worker, 1);
  await platform.startApi();
  const next = await startWorker();
  await expectFinished(late.id, 1);
  await next.stop();
});
