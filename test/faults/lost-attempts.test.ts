/** Attempts that die in the middle of a part: other attempts continue, and a part that kills all of them ends the operation. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { interruptedOutput } from '@fettle/agent';
import type { Event, OperationDetail } from '@fettle/contract';
import { isSettled } from '@fettle/contract';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findProcesses } from '../../infra/testing/find-processes.ts';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { shell, shellFile } from '../support/shell-file.ts';
import { findFaults } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { listBusySandboxes, listRemains, measure, until, untilActivity } from './support/observe.ts';

const finish = turn(say('Mended'));
const run = (command: string) => turn(call('run_command', { command }));
const once = (name: string, command: string) =>
  shell(`if mkdir "$PWD/../../../${name}"; then ${command}; fi`);
/** The toolbox's parent is the worker: this sandbox isolates nothing. */
const deadly = shell("kill -9 $(awk '/^PPid/ { print $2 }' /proc/$TOOLBOX/status); sleep 30");
const repeatOn = interruptedOutput.slice(0, 40);

const platform = await openPlatform({
  conversations: [
    conversation('deadly', [repairSum, run(deadly), finish], { match: 'deadly', repeatOn }),
    conversation('killed', [repairSum, run(once('killed', 'kill -9 $TOOLBOX; sleep 30')), finish], {
      match: 'toolbox killed',
      repeatOn,
    }),
    conversation('stopped', [repairSum, run(once('stopped', 'kill -STOP $TOOLBOX; sleep 30')), finish], {
      match: 'toolbox stopped',
      repeatOn,
    }),
    conversation('both', [repairSum, run(once('both', 'sleep 95173.5')), finish], {
      match: 'both',
      repeatOn,
    }),
    conversationFor('living', repairSum, run('sleep 8'), finish),
  ],
  settings: { FETTLE_LEASE_SECONDS: '4' },
  workers: 0,
});
const repository = openRepository({ ...brokenSum, ...shellFile });

const create = (description: string) => platform.create(repository.request('fix', description));

async function expectFinished(id: string, attempts: number): Promise<Event[]> {
  const { operation, events } = await expectProposal(platform, repository, id);
  expect(operation.attempts).toBe(attempts);
  return events;
}

const reasonsOf = (events: Event[]) =>
  ofType(events, 'operation.state').flatMap(({ to, reason }) => (to === 'queued' ? [reason] : []));

/** How long the operation was queued each time. */
function queuedSeconds(events: Event[]): number[] {
  const moves = ofType(events, 'operation.state');
  const starts = moves.flatMap((event) => (event.to === 'preparing' ? [Date.parse(event.at)] : []));
  const [first] = events;
  const queued = moves.flatMap((event) => (event.to === 'queued' ? [Date.parse(event.at)] : []));
  return [Date.parse(first?.at ?? ''), ...queued].map(
    (since, index) => ((starts[index] ?? since) - since) / 1000,
  );
}

test('a call that kills every attempt ends the operation, and the outcome names it', async () => {
  const { id } = await create('a deadly command');
  let operation: OperationDetail = await platform.get(id);
  while (!isSettled(operation.state)) {
    const worker = await platform.startWorker();
    let gone = false;
    worker.exited.then(() => {
      gone = true;
    });
    await until(
      'the end of it or of its worker',
      async () => gone || isSettled((await platform.get(id)).state),
    );
    await worker.kill();
    operation = await platform.get(id);
  }
  expect(operation).toMatchObject({
    state: 'failed',
    attempts: 5,
    outcome: {
      kind: 'failure',
      reason: 'attempts_used_up',
      message: expect.stringContaining(
        '5 attempts in a row were lost at run_command {"command":"node shell.mjs',
      ),
    },
  });
  const events = await platform.follow(id);
  expect(reasonsOf(events)).toEqual(Array.from({ length: 4 }, () => 'worker_lost'));
  const waited = queuedSeconds(events).slice(1);
  // A claim up to a second early succeeds, as with a dead worker's job. Each pause is several times the previous one.
  for (const [index, pause] of [0, 1, 4, 15].entries())
    expect(waited[index]).toBeGreaterThan(Math.max(0, pause - 1) * 0.9);
  expect(findFaults(operation, events, repository)).toEqual([]);
});

test('the toolbox is killed or stopped in the middle of a part: the next attempt gets another one', async () => {
  const worker = await platform.startWorker({ FETTLE_COMMAND_SECONDS: '2' });
  const killed = await create('the toolbox killed');
  const stopped = await create('the toolbox stopped');
  expect(reasonsOf(await expectFinished(killed.id, 2))).toEqual(['sandbox_lost']);
  await measure('gone on after a stopped toolbox, after', async () => {
    expect(reasonsOf(await expectFinished(stopped.id, 2))).toEqual(['sandbox_lost']);
  });
  expect(listRemains(platform.home)).toEqual([]);
  await worker.stop();
});

test('the next worker removes what a killed worker and its toolbox left, and nothing else', async () => {
  const doomed = await platform.startWorker({ FETTLE_CONCURRENCY: '1' });
  const both = await create('both killed');
  await untilActivity(platform, both.id, /run_command/);
  await until('its command', () => findProcesses('sleep 95173.5').length > 0);
  const left = listBusySandboxes(platform.home);
  process.kill(doomed.pid, 'SIGSTOP');
  for (const { pid, command } of left.flatMap(findProcesses))
    if (command.includes('toolbox/main.ts')) process.kill(pid, 'SIGKILL');
  await doomed.kill();
  expect(left.filter(existsSync)).toHaveLength(1);

  const other = await platform.startWorker({ FETTLE_CONCURRENCY: '2' });
  await until('the first start clears it', () => left.every((folder) => !existsSync(folder)));
  expect(findProcesses('sleep 95173.5')).toEqual([]);
  const living = await create('a living one');
  await untilActivity(platform, living.id, /run_command/);
  const third = await platform.startWorker();
  await expectFinished(living.id, 1);
  await expectFinished(both.id, 2);
  await Promise.all([other.stop(), third.stop()]);
  const names = readdirSync(join(platform.home, 'sandboxes'));
  expect(names.filter((name) => name.startsWith('sandbox-'))).toEqual([]);
});
