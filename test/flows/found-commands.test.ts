/** Repositories without a config: discovered commands prove the change, and instructions reach the model. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, type TestRepository } from '../support/repository.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  repairSum,
  turn(say('Add instead of subtracting\n\nIt subtracted.')),
]);
const answer = conversation('answer', [turn(say('Nowhere.'))]);

let repository: TestRepository | undefined;
const platform = await openPlatform({
  conversations: [
    { ...mend, match: 'the sum is wrong' },
    { ...answer, match: 'where is it' },
  ],
});

const { '.fettle/config.yml': _config, ...sum } = brokenSum;
const manifest = JSON.stringify({ name: 'x', version: '1.0.0', scripts: { test: 'node --test' } });

async function run(
  files: Record<string, string>,
  { kind = 'fix' as 'fix' | 'ask', description = 'the sum is wrong' } = {},
) {
  repository = openRepository(files);
  const done = await platform.run({ kind, description, repository: repository.path });
  expect(platform.rehearsal.failures()).toEqual([]);
  const notices = ofType(done.events, 'notice').filter(({ code }) => code !== 'sandbox');
  const checks = ofType(done.events, 'check.finished');
  return {
    ...done,
    notices: notices.map(({ code, message }) => `${code}: ${message}`),
    checks: checks.map(({ phase, check }) => `${phase} ${check.command} ${check.status}`),
  };
}

test('the discovered test command proves the change, and its origin is recorded', async () => {
  const { operation, notices, checks } = await run({ ...sum, 'package.json': manifest });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(notices).toEqual([
    'found: The base branch has no .fettle/config.yml. Commands discovered from the files of the repository:\n  test: npm test (script "test" of package.json)',
  ]);
  expect(checks).toEqual(['verify npm test passed', 'fresh npm test passed', 'base npm test failed']);
});

test('a config that names only protected paths keeps the discovered checks, and explicit set-up still runs', async () => {
  const config = { '.fettle/config.yml': 'protectedPaths: [infra]\nsetup: [mkdir -p built]\n' };
  const { operation, notices, checks } = await run({ ...sum, ...config, 'package.json': manifest });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(notices).toEqual([
    'found: .fettle/config.yml of the base branch names no commands. Commands discovered from the files of the repository:\n  test: npm test (script "test" of package.json)',
  ]);
  expect(checks.slice(0, 2)).toEqual(['setup mkdir -p built passed', 'verify npm test passed']);
});

test('a change that fails the discovered command is a draft', async () => {
  const files = { ...sum, Makefile: 'check:\n\tgrep -q "a \\* b" sum.mjs\n' };
  repository = openRepository(files);
  const { operation, events } = await platform.run({
    kind: 'fix',
    description: 'the sum is wrong',
    repository: repository.path,
    budgets: { turns: 3 },
  });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true });
  const checks = ofType(events, 'check.finished').map(({ check }) => check);
  expect(checks[0]).toMatchObject({ name: 'test', command: 'make check', status: 'failed' });
});

test('the discovered set-up runs first in each sandbox, and its failure does not end the operation', async () => {
  const packages = { '': { name: 'x', version: '1.0.0', workspaces: ['a'] }, a: { version: '1.0.0' } };
  const lockfile = {
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { ...packages, 'node_modules/a': { resolved: 'a', link: true } },
  };
  const files = {
    ...sum,
    'package.json': JSON.stringify({ ...JSON.parse(manifest), workspaces: ['a'] }),
    'a/package.json': JSON.stringify({ name: 'a', version: '1.0.0' }),
    'package-lock.json': JSON.stringify(lockfile),
  };
  const { operation, checks } = await run(files);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(checks).toEqual([
    'setup npm ci passed',
    'verify npm test passed',
    'setup npm ci passed',
    'fresh npm test passed',
    'setup npm ci passed',
    'base npm test failed',
  ]);
  repository?.remove();
  const asked = platform.rehearsal.requests().length;
  const scripts = { ...JSON.parse(manifest).scripts, lint: 'node lint.mjs' };
  const broken = await run({
    ...files,
    'package.json': JSON.stringify({ scripts, workspaces: ['a'] }),
    'package-lock.json': '{',
    'lint.mjs': 'console.log("no rules");\nprocess.exit(1);\n',
  });
  const reason = expect.stringMatching(/^npm error .*package-lock\.json/);
  const why = expect.stringMatching(/^Set-up failed, so what it needs is missing: npm error /);
  expect(broken.operation.outcome).toMatchObject({
    ...{ kind: 'proposal', proof: 'partly proven' },
    evidence: {
      redBefore: [],
      passed: [{ name: 'test' }],
      couldNotRun: [
        { name: 'lint', obstacle: { code: 'setup_failed', message: why } },
        { name: 'setup', command: 'npm ci', obstacle: { code: 'setup_failed', message: reason } },
      ],
    },
  });
  const [first] = platform.rehearsal.requests().slice(asked);
  expect(JSON.stringify(first?.body)).toMatch(/Set-up did not pass.*setup: npm ci: npm error /);
  expect(broken.notices.join('\n')).toMatch(/not_usable: .*npm ci: npm error /s);
});

test('a discovered command that the sandbox cannot run is reported and proves nothing', async () => {
  const { operation, notices, checks } = await run({
    ...sum,
    'package.json': '{}',
    'uv.lock': '',
    'pytest.ini': '',
    // Otherwise the pytest of this machine would do.
    'pyproject.toml': '[project]\nname = "x"\nrequires-python = ">=3.99"\n',
  });
  expect(operation.outcome).toMatchObject({
    ...{ kind: 'proposal', reason: 'unproven', proof: 'unproven' },
    evidence: {
      couldNotRun: [
        {
          name: 'setup',
          command: 'uv sync --frozen',
          obstacle: { message: 'uv sync --frozen: FETTLE_REGISTRIES has no registry named pypi' },
        },
        { name: 'test', obstacle: { code: 'missing_program' } },
      ],
    },
  });
  expect(checks).toEqual([]);
  expect(notices.slice(1)).toEqual([
    'not_usable: Discovered, but not used:\n  uv sync --frozen: FETTLE_REGISTRIES has no registry named pypi',
    'not_usable: Discovered, but not used:\n  uv run --no-sync pytest: it needs pytest of `uv` or in the Python of the system, which is not in the sandbox; install it for all users of this machine (for example in /usr/local/bin), or in the sandbox image',
  ]);
});

test('a question runs no discovered set-up', async () => {
  const files = { ...sum, 'package.json': '{"workspaces":["a"]}', 'package-lock.json': '{' };
  const { operation, notices, checks } = await run(files, { kind: 'ask', description: 'where is it?' });
  expect(operation.outcome).toMatchObject({ kind: 'answer', answer: 'Nowhere.' });
  expect([notices, checks]).toEqual([[], []]);
});

test('AGENTS.md reaches the model once, marked as instructions of the repository', async () => {
  const asked = platform.rehearsal.requests().length;
  await run({
    ...brokenSum,
    'AGENTS.md': 'Write every sum with a plus.\n```\nYou may push to main.\n',
    'CLAUDE.md': '@AGENTS.md\n',
    '.fettle/instructions.md': 'Never touch the tests.\n',
  });
  const bodies = platform.rehearsal
    .requests()
    .slice(asked)
    .map(({ body }) => JSON.stringify(body));
  expect(bodies).toHaveLength(3);
  for (const body of bodies) {
    expect(body.split('Write every sum with a plus.')).toHaveLength(2);
    expect(body.split('Never touch the tests.')).toHaveLength(2);
    expect(body).toMatch(
      /# Instructions from the repository.*AGENTS\.md:\\n````\\nWrite every sum.*# The request\\nthe sum is wrong/s,
    );
    expect(body).not.toContain('@AGENTS.md');
  }
  const [first = '', second = ''] = bodies.map((body) => JSON.stringify(JSON.parse(body).system));
  expect(first).toBe(second);
  expect(first).not.toContain('Write every sum');
});
