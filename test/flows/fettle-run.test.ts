/** The same flow from the command line: one command, with an embedded stack that ends with it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  call,
  conversation,
  conversationFor,
  type Rehearsal,
  say,
  startRehearsal,
  turn,
} from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, type TestRepository } from '../support/repository.ts';
import { runFettle } from '../support/run-fettle.ts';

const conversations = [
  conversationFor('mend the sum', turn(call('test', {})), repairSum, turn(say('Add instead of subtracting'))),
  conversationFor('what does it do', turn(say('It subtracts.'))),
  conversationFor(
    'whatever happens',
    turn(call('run_command', { command: 'sleep 100' })),
    repairSum,
    turn(say('Add, come what may')),
  ),
  conversation('nothing', [turn(say('All is well'))]),
];

let home: string;
let repository: TestRepository;
let rehearsal: Rehearsal;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'fettle-home-'));
  repository = openRepository(brokenSum);
  rehearsal = await startRehearsal({ conversations, onFailure() {} });
});
afterAll(async () => {
  await rehearsal?.close();
  rmSync(home, { recursive: true, force: true });
});

const run = (args: string[], settings: Record<string, string> = {}) =>
  runFettle(args, {
    FETTLE_HOME: home,
    FETTLE_SANDBOX: 'process',
    ANTHROPIC_API_KEY: 'rehearsal',
    ANTHROPIC_BASE_URL: rehearsal.url,
    ...settings,
  });

test('fettle run ends with a proposal and prints one JSON object', async () => {
  const { code, stdout } = await run([
    'run',
    'fix',
    'mend',
    'the',
    'sum',
    '--repo',
    repository.path,
    '--json',
  ]);
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toEqual({
    operationId: expect.stringMatching(/^op_/),
    state: 'awaiting_approval',
    outcome: 'proposal',
    reason: null,
    branch: expect.stringMatching(/^agent\/op-.*-mend-the-sum$/),
    headCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
    pullRequest: { number: 1, url: expect.any(String), title: '✓ Add instead of subtracting' },
    draft: false,
    proof: 'proven',
    evidence: expect.any(Object),
    answer: null,
    message: null,
    parts: 4,
    turns: 4,
    tokens: expect.any(Number),
    usd: expect.any(Number),
    durationMs: expect.any(Number),
  });
  expect(repository.git('rev-parse', result.branch)).toBe(result.headCommit);
  expect(existsSync(join(home, 'run', 'server.json'))).toBe(false);

  const shown = await run(['show', result.operationId, '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ id: result.operationId, state: 'awaiting_approval' });
  const listed = await run(['operations']);
  expect(listed.stdout).toContain(result.operationId);
  const logs = await run(['logs', result.operationId, '--json']);
  const types = logs.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types).toContain('part.finished');
  expect(types.at(-1)).toBe('operation.settled');
});

test('a worker that is killed during a command is restarted, and the work continues', async () => {
  const started = run(['run', 'fix', 'whatever happens', '--repo', repository.path, '--json']);
  const record = join(home, 'run', 'worker.json');
  await expect.poll(() => rehearsal.requests().some(isKilled), { timeout: 60_000 }).toBe(true);
  process.kill(JSON.parse(readFileSync(record, 'utf8')).pid, 'SIGKILL');
  const { code, stdout, stderr } = await started;
  expect({ code, result: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    result: { outcome: 'proposal', draft: false },
  });
  expect(stderr).toContain('the worker exited');
});

const isKilled = ({ conversation: name }: { conversation: string | null }) => name === 'whatever happens';

test('exit code 0 for an answer, 6 for no change, and plain lines without a terminal', async () => {
  const answer = await run(['run', 'ask', 'what does it do?', '--repo', repository.path, '--json']);
  expect(answer.code).toBe(0);
  expect(JSON.parse(answer.stdout)).toMatchObject({
    outcome: 'answer',
    answer: 'It subtracts.',
    branch: null,
  });
  const nothing = await run(['run', 'fix', 'hello', '--repo', repository.path]);
  expect(nothing.code).toBe(6);
  expect(nothing.stdout + nothing.stderr).toContain('All is well');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(nothing.stdout + nothing.stderr).not.toMatch(/\x1b/);
});

test.each([
  [['run', 'destroy', 'x', '--repo', '.'], 2],
  [['run', 'fix', 'x', '--repo', '/nowhere/at/all'], 2],
  [['run', 'fix', 'x', '--repo', tmpdir()], 2],
  [['run', 'fix'], 2],
  [['nonsense'], 2],
])('wrong usage: fettle %s', async (args, expected) => {
  const { code, stdout } = await run([...args, '--json']);
  expect(code).toBe(expected);
  expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.any(String) } });
});
