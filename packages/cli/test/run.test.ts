import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, type Rehearsal, say, startRehearsal, turn } from '@fettle/rehearsal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesWith } from '../src/testing/processes.ts';
import { runFettle, runFettleIntoHead, startFettle } from '../src/testing/run-fettle.ts';

let folder: string;
let rehearsal: Rehearsal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-'));
  await mkdir(join(folder, 'repository'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: join(folder, 'repository') });
  git('init', '--quiet', '--initial-branch=main');
  git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', 'commit', '-qm', 'Begin', '--allow-empty');
});
afterEach(async () => {
  await rehearsal.close();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

function settings() {
  return { FETTLE_HOME: join(folder, 'home'), ANTHROPIC_BASE_URL: rehearsal.url, FETTLE_SANDBOX: 'process' };
}

test('a question is answered: one object, exit code 0 and no process left', async () => {
  const answer = turn(say('It is empty.'));
  rehearsal = await startRehearsal({
    conversations: [conversation('ask', [turn(call('git_log', {})), answer])],
  });
  const args = ['run', 'ask', 'what', 'is', 'in', 'it?', '--repo', join(folder, 'repository'), '--json'];
  const { exitCode, stdout } = await runFettle(args, settings());
  const result = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(result).toMatchObject({ state: 'answered', outcome: 'answer', answer: 'It is empty.', turns: 2 });
  expect(processesWith(settings().FETTLE_HOME)).toEqual([]);
});

test('Ctrl-C cancels the operation and shuts down', async () => {
  const stalled = { ...turn(say('…')), faults: [{ stall: 'mid-stream' as const }] };
  rehearsal = await startRehearsal({ conversations: [conversation('stall', [stalled])] });
  const args = ['run', 'fix', 'it', '--repo', join(folder, 'repository'), '--json'];
  const { child, finished } = startFettle(args, settings());
  while (rehearsal.requests().length === 0) await sleep(20);
  child.kill('SIGINT');
  const { exitCode, stdout } = await finished;
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'cancelled', outcome: 'failure', reason: 'cancelled' });
  expect(processesWith(settings().FETTLE_HOME)).toEqual([]);
});

test('cancels the operation when the reader of the output exits', async () => {
  const stalled = { ...turn(say('…')), faults: [{ stall: 'mid-stream' as const }] };
  rehearsal = await startRehearsal({ conversations: [conversation('stall', [stalled])] });
  await runFettleIntoHead(['run', 'fix', 'it', '--repo', join(folder, 'repository')], settings());
  expect(processesWith(settings().FETTLE_HOME)).toEqual([]);
  const { stdout } = await runFettle(['operations', '--json'], settings());
  expect(JSON.parse(stdout).operations).toMatchObject([{ state: 'cancelled' }]);
});

test('after kill -9, other commands warn that no server is running', async () => {
  const stalled = { ...turn(say('…')), faults: [{ stall: 'mid-stream' as const }] };
  rehearsal = await startRehearsal({ conversations: [conversation('stall', [stalled])] });
  const { child, finished } = startFettle(
    ['run', 'fix', 'it', '--repo', join(folder, 'repository')],
    settings(),
  );
  while (rehearsal.requests().length === 0) await sleep(20);
  child.kill('SIGKILL');
  await finished;
  const { stdout, stderr } = await runFettle(['operations', '--json'], settings());
  const [{ id, state }] = JSON.parse(stdout).operations;
  expect([state, stderr]).toEqual(['acting', expect.stringContaining('no server is running')]);
  expect((await runFettle(['show', id], settings())).stderr).toContain('no server is running');
  await runFettle(['cancel', id], settings());
  expect((await runFettle(['show', id], settings())).stderr).toBe('');
  while (processesWith(settings().FETTLE_HOME).length > 0) await sleep(50);
});

// Eight commands, most of which start a server of their own.
test('--plan stops with a plan, which `fettle plan` shows and decides on', {
  timeout: 240_000,
}, async () => {
  const plan = { tasks: ['write it down'], files: ['NOTES.md'], risks: ['none known'], estimate: 'one file' };
  rehearsal = await startRehearsal({
    conversations: [conversation('plan', [turn(call('propose_plan', plan))])],
  });
  const place = ['--repo', join(folder, 'repository')];
  const wrong = await runFettle(['run', 'fix', 'it', '--plan', ...place], settings());
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('works only with implement')]);
  const run = await runFettle(['run', 'implement', 'notes', '--plan', '--json', ...place], settings());
  const { operationId: id, ...result } = JSON.parse(run.stdout);
  expect([run.exitCode, result]).toMatchObject([0, { state: 'awaiting_plan', outcome: null, turns: 1 }]);
  expect((await runFettle(['say', id, 'keep', 'it', 'short'], settings())).stdout).toBe(
    'Message sent (message 1): the agent will see it before its next turn.\n',
  );
  const shown = await runFettle(['plan', id], settings());
  expect(shown.stdout).toMatch(
    /plan 1 {2}one file\n +1\. write it down\n {2}files: NOTES\.md.*--approve --of 1/s,
  );
  expect((await runFettle(['show', id], settings())).stdout).toMatch(
    /» admin: keep it short {2}\(message 1\)\n {4}sent at [\d:]+ UTC, not seen yet.*write it down/s,
  );
  const stale = await runFettle(['plan', id, '--approve', '--of', '2'], settings());
  expect([stale.exitCode, stale.stderr]).toEqual([1, expect.stringContaining('is version 1')]);
  const cancelled = await runFettle(['plan', id, '--cancel'], settings());
  expect([cancelled.exitCode, cancelled.stdout]).toEqual([0, `${id} is cancelled\n`]);
  const late = await runFettle(['say', id, 'hello', '--json'], settings());
  expect([late.exitCode, JSON.parse(late.stdout)]).toMatchObject([1, { error: { code: 'conflict' } }]);
});
