import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, type Rehearsal, say, startRehearsal, turn } from '@fettle/rehearsal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolder, openRepository } from '../src/testing/open-folder.ts';
import { openServer } from '../src/testing/open-server.ts';
import { processesWith } from '../src/testing/processes.ts';
import { runFettle, runFettleIntoHead, runFettleWithInput, startFettle } from '../src/testing/run-fettle.ts';

let home: string;
let place: string[];
let rehearsal: Rehearsal;
beforeEach(() => {
  home = openFolder();
  place = ['--repo', openRepository()];
});
afterEach(() => rehearsal.close());

/** A search path with nothing but these programs. */
async function linkPrograms(names: string[]): Promise<string> {
  const programs = openFolder();
  for (const name of names)
    await symlink(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
  return programs;
}

function settings() {
  return { FETTLE_HOME: home, ANTHROPIC_BASE_URL: rehearsal.url, FETTLE_SANDBOX: 'process' };
}

/** Its model stops in the middle of an answer. */
function startStalledRehearsal() {
  const stalled = { ...turn(say('…')), faults: [{ stall: 'mid-stream' as const }] };
  return startRehearsal({ conversations: [conversation('stall', [stalled])] });
}

test('a question is answered: one object, exit code 0 and no process left', async () => {
  const answer = turn(say('It is empty.'));
  rehearsal = await startRehearsal({
    conversations: [conversation('ask', [turn(call('git_log', {})), answer])],
  });
  const args = ['run', 'ask', 'what', 'is', 'in', 'it?', ...place, '--json'];
  const { exitCode, stdout } = await runFettle(args, settings());
  const result = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(result).toMatchObject({ state: 'answered', outcome: 'answer', answer: 'It is empty.', turns: 2 });
  expect(processesWith(home)).toEqual([]);
});

test.each([
  [4, ['run', 'fix', 'it']],
  [4, ['up', '--port', '0']],
])('without gitleaks, nothing is started: exit code %i of %j', async (code, args) => {
  rehearsal = await startRehearsal({ conversations: [] });
  // Without a set-up of this user, in whose folder it would be found.
  const bare = { HOME: openFolder(), PATH: await linkPrograms(['git', 'sh']) };
  const where = args[0] === 'run' ? place : [];
  const { exitCode, stderr } = await runFettle([...args, ...where], { ...settings(), ...bare });
  expect([exitCode, stderr]).toEqual([
    code,
    expect.stringContaining('There is no gitleaks on this machine, so'),
  ]);
  expect(stderr).toContain("Run 'npm run setup'");
  expect(existsSync(join(home, 'redis'))).toBe(false);
});

test('a stored key reaches the model, and no log, record or command line', async () => {
  rehearsal = await startRehearsal({ conversations: [] });
  const key = 'sk-stored-by-this-test';
  const seen: unknown[] = [];
  const ANTHROPIC_BASE_URL = await openServer(({ headers }, response) => {
    seen.push(headers.authorization, processesWith(key));
    // As some services do, it repeats the key.
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { type: 'authentication_error', message: `invalid key ${key}` } }));
  });
  await runFettleWithInput(['model', 'login'], key, { FETTLE_HOME: home });
  const args = ['run', 'ask', 'what is in it?', ...place];
  const { exitCode, stdout, stderr } = await runFettle(args, { ...settings(), ANTHROPIC_BASE_URL });
  expect([exitCode, seen]).toEqual([1, [`Bearer ${key}`, []]]);
  expect(stdout).toContain('invalid key');
  const files = execFileSync('grep', ['-rlF', key, home], { encoding: 'utf8' });
  expect(files).toBe(`${join(home, 'model-keys', 'anthropic')}\n`);
  expect(stdout + stderr).not.toContain(key);
});

test('Ctrl-C cancels the operation and shuts down', async () => {
  rehearsal = await startStalledRehearsal();
  const args = ['run', 'fix', 'it', ...place, '--json'];
  const { child, finished } = startFettle(args, settings());
  while (rehearsal.requests().length === 0) await sleep(20);
  child.kill('SIGINT');
  const { exitCode, stdout } = await finished;
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'cancelled', outcome: 'failure', reason: 'cancelled' });
  expect(processesWith(home)).toEqual([]);
});

test('cancels the operation when the reader of the output exits', async () => {
  rehearsal = await startStalledRehearsal();
  await runFettleIntoHead(['run', 'fix', 'it', ...place], settings());
  expect(processesWith(home)).toEqual([]);
  const { stdout } = await runFettle(['operations', '--json'], settings());
  expect(JSON.parse(stdout).operations).toMatchObject([{ state: 'cancelled' }]);
});

test('after kill -9, other commands warn that no server is running', async () => {
  rehearsal = await startStalledRehearsal();
  const { child, finished } = startFettle(['run', 'fix', 'it', ...place], settings());
  while (rehearsal.requests().length === 0) await sleep(20);
  child.kill('SIGKILL');
  await finished;
  const { stdout, stderr } = await runFettle(['operations', '--json'], settings());
  const [{ id, state }] = JSON.parse(stdout).operations;
  expect([state, stderr]).toEqual(['acting', expect.stringContaining('no server is running')]);
  expect((await runFettle(['show', id], settings())).stderr).toContain('no server is running');
  await runFettle(['cancel', id], settings());
  expect((await runFettle(['show', id], settings())).stderr).toBe('');
  while (processesWith(home).length > 0) await sleep(50);
});

// Eight commands, most of which start a server of their own.
test('--plan stops with a plan, which `fettle plan` shows and decides on', {
  timeout: 240_000,
}, async () => {
  const plan = { tasks: ['write it down'], files: ['NOTES.md'], risks: ['none known'], estimate: 'one file' };
  rehearsal = await startRehearsal({
    conversations: [conversation('plan', [turn(call('propose_plan', plan))])],
  });
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
    /» admin: keep it short {2}\(message 1\)\n {4}sent at [\d:]{8}, not seen yet.*write it down/s,
  );
  const stale = await runFettle(['plan', id, '--approve', '--of', '2'], settings());
  expect([stale.exitCode, stale.stderr]).toEqual([1, expect.stringContaining('is version 1')]);
  const cancelled = await runFettle(['plan', id, '--cancel'], settings());
  expect([cancelled.exitCode, cancelled.stdout]).toEqual([0, `${id} is cancelled\n`]);
  const late = await runFettle(['say', id, 'hello', '--json'], settings());
  expect([late.exitCode, JSON.parse(late.stdout)]).toMatchObject([1, { error: { code: 'conflict' } }]);
});
