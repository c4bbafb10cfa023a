import { expect, test } from 'vitest';
import type { Diagnosis } from './commands/doctor/diagnosis.ts';
import { openFolder } from './testing/open-folder.ts';
import { runFettle } from './testing/run-fettle.ts';

const FETTLE_HOME = openFolder();

const nothing = {
  ...{ operationId: null, state: null, outcome: null, reason: null, branch: null, headCommit: null },
  ...{ pullRequest: null, draft: null, proof: null, evidence: null, answer: null, message: null },
  ...{ parts: null, turns: null, tokens: null, usd: null, durationMs: null },
};

test.each([
  [['bogus'], "unknown command 'bogus'."],
  [['run', 'mend', 'x', '--repo', '.'], "'mend' is not a kind of request; use debug"],
  [
    ['run', 'fix', 'x', '--repo', '.', '--max-parts', '0'],
    "--max-parts takes a whole number above 0, not '0'.",
  ],
  [['run', 'fix', 'x', '--repo', '.', '--priority', 'urgent'], 'priority: '],
  [
    ['run', 'fix', 'x', '--repo', '.', '--stack-file', '/absent'],
    '--stack-file: /absent cannot be read (ENOENT).',
  ],
  [['show'], "missing required argument 'id'."],
  [['secrets', 'allow'], "missing required argument 'fingerprint'.\n  Run 'fettle secrets allow --help'."],
  [['operations', '--state', 'lost'], '--state: '],
  [['up', '--port', '99999'], "--port takes 0 to 65535, not '99999'."],
])('fettle %j is wrong usage, reported in one sentence', async (args, sentence) => {
  const { exitCode, stdout, stderr } = await runFettle(args, { FETTLE_HOME });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.startsWith(`fettle: ${sentence}`)).toBe(true);
});

test('wrong usage with --json prints one object on standard output', async () => {
  const { exitCode, stdout } = await runFettle(['run', 'fix', '--json', '--base'], { FETTLE_HOME });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    ...nothing,
    error: {
      code: 'usage',
      message: "option '--base <branch>' argument missing.",
      advice: "Run 'fettle run --help'.",
    },
  });
});

test.each<[string, Record<string, string>]>([
  ['ANTHROPIC_API_KEY', { OPENAI_API_KEY: 'of-another-service' }],
  ['OPENAI_API_KEY', { FETTLE_MODEL: 'openai:gpt-5.4', ANTHROPIC_API_KEY: 'of-another-service' }],
])('nothing is started without %s if the model needs it', async (name, settings) => {
  const { exitCode, stdout } = await runFettle(['run', 'fix', 'x', '--repo', '.', '--json'], {
    FETTLE_HOME,
    ...settings,
  });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    ...nothing,
    error: {
      code: 'no_model_key',
      message: `${name} is not set, so there is no model to use`,
      advice: expect.stringContaining(`'export ${name}=…' (or ${name}_FILE`),
    },
  });
});

test('an unreachable FETTLE_URL is reported', async () => {
  const settings = { FETTLE_HOME, FETTLE_URL: 'http://127.0.0.1:1' };
  const { exitCode, stdout } = await runFettle(['show', 'op_1', '--json'], settings);
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'server_unreachable' } });
});

test('an invalid setting is named', async () => {
  const { exitCode, stderr } = await runFettle(['operations'], { FETTLE_HOME, FETTLE_PORT: 'x' });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('FETTLE_PORT: ');
});

test.each([
  ['FETTLE_HOME', '/proc/fettle'],
  ['FETTLE_TOKEN', 'a\nb'],
  ['FETTLE_URL', 'file:///etc'],
])('%s=%j is refused at once, and the value is not printed', async (name, value) => {
  const { exitCode, stderr } = await runFettle(['operations'], { FETTLE_HOME, [name]: value });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${name}: `);
  expect(stderr).not.toContain(value);
});

test('an id with path segments is refused', async () => {
  const { exitCode, stderr } = await runFettle(['cancel', '../x'], { FETTLE_HOME });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'../x' is not an operation id")]);
});

test.each([[['--help']], [['run', '--help']], [['logs', '--help']], [['init', '--help']]])(
  '%j prints an example',
  async (args) => {
    const { exitCode, stdout } = await runFettle(args);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}.*fettle /);
  },
);

test('doctor prints its results as text and as JSON', async () => {
  const settings = { FETTLE_HOME, FETTLE_SANDBOX: 'process', ANTHROPIC_API_KEY: 'key' };
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], settings);
  expect(exitCode).toBe(0);
  const { ok, findings } = JSON.parse(stdout);
  expect(ok).toBe(true);
  expect(findings.map(({ name }: Diagnosis) => name)).toEqual([
    ...['Node', 'git', 'ripgrep', 'gitleaks', 'kernel'],
    ...[
      'sandbox docker',
      'sandbox bubblewrap',
      'sandbox',
      'redis-server',
      'FETTLE_HOME',
      'server',
      'model key',
    ],
    ...['GitHub', 'api settings', 'worker settings', 'REDIS_URL', 'DATABASE_URL'],
  ]);
  const asText = await runFettle(['doctor'], { FETTLE_HOME: '/dev/null/home' });
  expect(asText.exitCode).toBe(4);
  expect(asText.stdout).toContain('✗ problem FETTLE_HOME        /dev/null/home is not writable (ENOTDIR)');
});

test('doctor names every invalid setting', async () => {
  const { stdout } = await runFettle(['doctor', '--json'], {
    ...{ FETTLE_HOME, FETTLE_SANDBOX: 'process', FETTLE_LEASE_SECONDS: 'soon', FETTLE_INSTALL_SCRIPTS: '*' },
    ...{ REDIS_URL: 'redis://127.0.0.1:1', FETTLE_MODEL: 'openai:gpt-5.4' },
  });
  const findings: Diagnosis[] = JSON.parse(stdout).findings;
  const problems = findings.filter(({ state }) => state === 'problem');
  expect(problems.map(({ name }) => name)).toEqual([
    ...['model key', 'api settings', 'worker settings', 'REDIS_URL'],
  ]);
  expect(problems[0]).toMatchObject({ message: 'OPENAI_API_KEY is not set' });
});
