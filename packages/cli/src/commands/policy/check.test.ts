import { expect, test } from 'vitest';
import { runFettle, runFettleWithInput } from '../../testing/run-fettle.ts';

const check = (...args: string[]) => runFettle(['policy', 'check', ...args]);

test('a denied path has a reason and an alternative', async () => {
  const { exitCode, stdout } = await check('--path', '.env', '--op', 'read', '--json');
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toEqual({
    decision: 'deny',
    rule: 'environment-file',
    reason: expect.stringContaining('credentials'),
    token: '.env',
    instead: expect.stringContaining('.env.example'),
  });
  const allowed = await check('--path', 'src/env.ts', '--json');
  expect(allowed.exitCode).toBe(0);
  expect(JSON.parse(allowed.stdout)).toEqual({
    ...{ decision: 'allow', rule: null, reason: null, token: null, instead: null },
  });
});

test('prints one sentence, without control characters', async () => {
  const { exitCode, stdout } = await check('--path', 'CLAUDE.md/\u001b[2K');
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^denied: CLAUDE\.md\/␛\[2K: .*\(rule agent-instructions\)\n {2}Leave it/);
  expect((await check('--path', 'CLAUDE.md', '--op', 'read')).stdout).toBe('allowed\n');
});

test('a path that needs approval has exit code 3', async () => {
  const { exitCode, stdout } = await check('--path', 'aux.ts', '--json');
  expect([exitCode, JSON.parse(stdout).decision]).toEqual([3, 'approve']);
});

test('--stdin-jsonl prints one answer per line, in the same order', async () => {
  const lines = [
    '{"path":"src/a.ts","op":"read"}',
    '{"path":".git/config","op":"write"}',
    'no json',
    '{"path":"a"}',
    '{"content":"{\\"dependencies\\":{\\"x\\":\\"1\\"}}","path":"package.json"}',
    '{"content":"a\\u202eb","path":"src/a.ts"}',
    '{"content":"x","path":".husky/pre-push"}',
    '{"path":"a","op":"chew"}',
    '[]',
    '{"command":"rm -rf \\"$HOME\\""}',
  ];
  const { exitCode, stdout } = await runFettleWithInput(
    ['policy', 'check', '--stdin-jsonl'],
    lines.join('\n'),
  );
  expect(exitCode).toBe(0);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ decision, rule, error }) => (error ? 'error' : [decision, rule]))).toEqual([
    ['allow', null],
    ['deny', 'git-files'],
    'error',
    ['allow', null],
    ['approve', 'new-dependency'],
    ['deny', 'bidirectional-control'],
    ['deny', 'hooks'],
    'error',
    'error',
    ['deny', expect.any(String)],
  ]);
  expect(answers[5]).toMatchObject({ token: 'U+202E' });
});

test.each([[[]], [['--path', 'a', 'ls']], [['--path', 'a', '--op', 'chew']], [['ls', '--stdin-jsonl']]])(
  'policy check %j is wrong usage',
  async (args) => {
    expect((await check(...args)).exitCode).toBe(2);
  },
);
