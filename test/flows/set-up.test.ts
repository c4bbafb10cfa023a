import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { checksOf, ofType, proposalOf } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import type { TestRepository } from '../support/repository.ts';

const write = conversation('write', [
  turn(call('write_file', { path: 'mine.txt', content: 'mine\n' })),
  turn(say('Write')),
]);

let repository: TestRepository | undefined;
const platform = await openPlatform({ conversations: [write] });

async function run(config: string, files: Record<string, string> = {}) {
  repository = openRepository({ 'a.txt': 'a\n', '.fettle/config.yml': config, ...files });
  return platform.run(repository.request('implement', 'write'));
}

test('files of the set-up exist for the checks in each sandbox, and are not part of the change', async () => {
  const { operation, events } = await run(
    'setup: ["echo made > made-by-setup.txt", "echo more >> a.txt"]\ncommands: { test: "test -f made-by-setup.txt && test -f mine.txt" }\n',
  );
  const { draft, branch } = proposalOf(operation);
  expect(draft).toBe(false);
  expect(repository?.git('diff', '--name-only', 'main', branch)).toBe('mine.txt');
  expect(checksOf(events)).toEqual([
    ...['setup passed', 'setup passed', 'verify passed'],
    ...['setup passed', 'setup passed', 'fresh passed'],
  ]);
});

test('a failing set-up command ends the operation before the model is called', async () => {
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
])(
  'a set-up command that is not allowed ends the operation with a reason: %s',
  async (line, token, rule, instead) => {
    const { operation, events } = await run(JSON.stringify({ setup: ['echo first > first.txt', line] }));
    const { outcome } = operation;
    expect(outcome).toMatchObject({ reason: 'setup_refused', message: expect.stringContaining(line) });
    const message = outcome?.kind === 'failure' ? outcome.message : '';
    expect(message).toContain(token);
    expect(message).toContain(`(rule ${rule})`);
    expect(message).toMatch(instead);
    // Not even what stands before it.
    expect(ofType(events, 'check.finished')).toEqual([]);
  },
);

test('set-up may copy example settings', async () => {
  const config = JSON.stringify({
    setup: ['cp .env.example .env'],
    commands: { test: 'grep -q KEY .env' },
  });
  const { operation } = await run(config, { '.env.example': 'KEY=\n', '.gitignore': '.env\n' });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
});

test('an invalid config is reported with its error', async () => {
  const { operation } = await run('commands: { tests: "npm test" }\n');
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'bad_config', message: expect.stringMatching(/commands\.tests/) },
  });
});

test('without a config, the scripts of package.json are the checks', async () => {
  const scripts = { test: 'test -f mine.txt', build: 'true', lint: 'exit 0' };
  repository = openRepository({ 'package.json': JSON.stringify({ name: 'x', scripts }) });
  const { events } = await platform.run(repository.request('implement', 'write'));
  const checks = ofType(events, 'check.finished').filter(({ phase }) => phase === 'verify');
  expect(checks.map(({ check }) => `${check.command} ${check.status}`)).toEqual([
    ...['npm run lint passed', 'npm test passed', 'npm run build passed'],
  ]);
});
