import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';

const write = conversation('write', [
  turn(call('write_file', { path: 'mine.txt', content: 'mine\n' })),
  turn(say('Write')),
]);

let platform: Platform;
let repository: TestRepository | undefined;
beforeAll(async () => {
  platform = await startPlatform({ conversations: [write] });
});
afterAll(async () => platform?.close());
afterEach(() => repository?.remove());

async function run(config: string, files: Record<string, string> = {}) {
  repository = makeRepository({ 'a.txt': 'a\n', '.fettle/config.yml': config, ...files });
  return platform.run({ kind: 'implement', description: 'write', repository: repository.path });
}

test('what set-up leaves behind is there for the checks, in each sandbox, and not part of the change', async () => {
  const { operation, events } = await run(
    'setup: ["echo made > made-by-setup.txt", "echo more >> a.txt"]\ncommands: { test: "test -f made-by-setup.txt && test -f mine.txt" }\n',
  );
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  expect(operation.outcome.draft).toBe(false);
  expect(repository?.git('diff', '--name-only', 'main', operation.outcome.branch)).toBe('mine.txt');
  const phases = events.flatMap((event) =>
    event.type === 'check.finished' ? [`${event.phase} ${event.check.ok}`] : [],
  );
  expect(phases).toEqual([
    'setup true',
    'setup true',
    'verify true',
    'setup true',
    'setup true',
    'fresh true',
  ]);
});

test('a set-up command that fails ends it before the model is asked', async () => {
  const asked = platform.rehearsal.counts().requests;
  const { operation } = await run('setup: ["node fail.mjs"]\n', {
    'fail.mjs': 'console.log("no such registry");\nprocess.exit(3);\n',
  });
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'setup_failed', message: expect.stringMatching(/exit code 3\nno such registry/) },
  });
  expect(platform.rehearsal.counts().requests).toBe(asked);
});

test.each([
  ['sh install.sh', '«sh»', 'program', /write the commands themselves/],
  ['npm install left-pad', '«left-pad»', 'npm install', /leave it out/],
  ['curl https://example.org', '«curl»', 'program', /work with what is in the repository/],
  ['npm ci --registry=https://example.org', '«--registry»', 'npm ci', /leave it out/],
])('a set-up command that may not run ends it, and says why: %s', async (line, token, rule, instead) => {
  const { operation, events } = await run(JSON.stringify({ setup: ['echo first > first.txt', line] }));
  const { outcome } = operation;
  expect(outcome).toMatchObject({ reason: 'setup_refused', message: expect.stringContaining(line) });
  const message = outcome?.kind === 'failure' ? outcome.message : '';
  expect(message).toContain(token);
  expect(message).toContain(`(rule ${rule})`);
  expect(message).toMatch(instead);
  // Not even what stands before it.
  expect(events.filter(({ type }) => type === 'check.finished')).toEqual([]);
});

test('set-up may begin with an example of settings', async () => {
  const config = JSON.stringify({
    setup: ['cp .env.example .env'],
    commands: { test: 'grep -q KEY .env' },
  });
  const { operation } = await run(config, { '.env.example': 'KEY=\n', '.gitignore': '.env\n' });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
});

test('a config that is not valid is named with what is wrong', async () => {
  const { operation } = await run('commands: { tests: "npm test" }\n');
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'bad_config', message: expect.stringMatching(/commands\.tests/) },
  });
});

test('without a config, the scripts of package.json are the checks', async () => {
  const scripts = { test: 'test -f mine.txt', build: 'true', lint: 'exit 0' };
  repository = makeRepository({ 'package.json': JSON.stringify({ name: 'x', scripts }) });
  const { events } = await platform.run({
    kind: 'implement',
    description: 'write',
    repository: repository.path,
  });
  const checks = events.flatMap((event) =>
    event.type === 'check.finished' && event.phase === 'verify'
      ? [`${event.check.command} ${event.check.ok}`]
      : [],
  );
  expect(checks).toEqual(['npm run lint true', 'npm test true', 'npm run build true']);
});
