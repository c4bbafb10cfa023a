import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runFettle } from './testing/run-fettle.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
});
afterAll(() => rm(home, { recursive: true }));

const nothing = {
  operationId: null,
  state: null,
  outcome: null,
  reason: null,
  branch: null,
  headCommit: null,
  pullRequest: null,
  draft: null,
  answer: null,
  message: null,
  parts: null,
  turns: null,
  tokens: null,
  usd: null,
  durationMs: null,
};

describe.each([
  [['bogus'], "unknown command 'bogus'."],
  [['run', 'fix', 'x'], "required option '--repo <repository>' not specified."],
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
  [['operations', '--state', 'lost'], '--state: '],
  [['up', '--port', '99999'], "--port takes 0 to 65535, not '99999'."],
])('fettle %j', (args, sentence) => {
  test('is wrong usage, reported in one sentence', async () => {
    const { exitCode, stdout, stderr } = await runFettle(args, { FETTLE_HOME: home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(`fettle: ${sentence}`);
  });
});

test('wrong usage with --json prints one object on standard output', async () => {
  const { exitCode, stdout } = await runFettle(['run', 'fix', '--json', 'x'], { FETTLE_HOME: home });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    ...nothing,
    error: {
      code: 'usage',
      message: "required option '--repo <repository>' not specified.",
      advice: "Run 'fettle run --help'.",
    },
  });
});

test.each<[string, Record<string, string>]>([
  ['ANTHROPIC_API_KEY', { OPENAI_API_KEY: 'of-another-service' }],
  ['OPENAI_API_KEY', { FETTLE_MODEL: 'openai:gpt-5.4', ANTHROPIC_API_KEY: 'of-another-service' }],
])('nothing is started without %s if the model needs it', async (name, settings) => {
  const { exitCode, stdout } = await runFettle(['run', 'fix', 'x', '--repo', '.', '--json'], {
    FETTLE_HOME: home,
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
  const settings = { FETTLE_HOME: home, FETTLE_URL: 'http://127.0.0.1:1' };
  const { exitCode, stdout } = await runFettle(['show', 'op_1', '--json'], settings);
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'server_unreachable' } });
});

test('an invalid setting is named', async () => {
  const { exitCode, stderr } = await runFettle(['operations'], { FETTLE_HOME: home, FETTLE_PORT: 'x' });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('FETTLE_PORT: ');
});

test.each([
  ['FETTLE_HOME', '/proc/fettle'],
  ['FETTLE_TOKEN', 'a\nb'],
  ['FETTLE_URL', 'file:///etc'],
])('%s=%j is refused at once, and the value is not printed', async (name, value) => {
  const { exitCode, stderr } = await runFettle(['operations'], { FETTLE_HOME: home, [name]: value });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${name}: `);
  expect(stderr).not.toContain(value);
});

test('an id with path segments is refused', async () => {
  const { exitCode, stderr } = await runFettle(['cancel', '..'], { FETTLE_HOME: home });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'..' is not an operation id")]);
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
  const settings = { FETTLE_HOME: home, FETTLE_SANDBOX: 'process' };
  const { exitCode, stdout } = await runFettle(['doctor', '--json'], settings);
  expect(exitCode).toBe(0);
  const { ok, findings } = JSON.parse(stdout);
  expect(ok).toBe(true);
  expect(findings.map(({ name }: { name: string }) => name)).toEqual([
    'Node',
    'git',
    'ripgrep',
    'redis-server',
    'gitleaks',
    'kernel',
    'sandbox docker',
    'sandbox bubblewrap',
    'sandbox',
    'FETTLE_HOME',
    'server',
    'model key',
    'api settings',
    'worker settings',
    'REDIS_URL',
    'DATABASE_URL',
  ]);
  const invalid = await runFettle(['doctor', '--json'], {
    ...settings,
    FETTLE_LEASE_SECONDS: 'soon',
    FETTLE_INSTALL_SCRIPTS: '*',
    REDIS_URL: 'redis://127.0.0.1:1',
    FETTLE_MODEL: 'openai:gpt-5.4',
  });
  expect(JSON.parse(invalid.stdout).findings).toContainEqual(
    expect.objectContaining({ name: 'model key', state: 'warning', message: 'OPENAI_API_KEY is not set' }),
  );
  const problems = JSON.parse(invalid.stdout).findings.filter(
    ({ state }: { state: string }) => state === 'problem',
  );
  expect(problems.map(({ name }: { name: string }) => name)).toEqual([
    'api settings',
    'worker settings',
    'REDIS_URL',
  ]);
  const asText = await runFettle(['doctor'], { FETTLE_HOME: '/dev/null/home' });
  expect(asText.exitCode).toBe(4);
  expect(asText.stdout).toContain('✗ problem FETTLE_HOME        /dev/null/home is not writable (ENOTDIR)');
});
