/** Changes that look proven and are not: no expectation, no missing file and no test that never runs shows a fault. */
import type { Kind, Outcome } from '@fettle/contract';
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';

type Turn = ReturnType<typeof turn>;
const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const edit = (path: string, old: string, by: string) =>
  turn(call('edit_file', { path, edits: [{ old, new: by }] }));
const done = turn(say('Done'));

const testOf = (name: string, body: string) =>
  `import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport test from 'node:test';\nimport * as sum from './sum.mjs';\ntest('${name}', async () => { ${body} });\n`;
const sound = 'export const add = (a, b) => a + b;\nexport const half = (a) => a / 2;\n';
const broken = sound.replace('a + b', 'a - b');
const checkedBy = (command: string) => ({ '.fettle/config.yml': `commands:\n  test: ${command}\n` });
const start = {
  'sum.mjs': broken,
  'half.test.mjs': testOf('halves', 'assert.equal(sum.half(4), 2)'),
  ...checkedBy('node --test'),
};
const adds = testOf('adds', 'assert.equal(sum.add(2, 3), 5)');
const readsFrom = (path: string) =>
  testOf('adds', `assert.equal(sum.add(2, 3), JSON.parse(readFileSync('${path}', 'utf8')))`);
const version = edit('sum.mjs', 'export const half', 'export const version = 2;\nexport const half');
interface Case {
  kind?: Kind;
  files: Record<string, string>;
  turns: Turn[];
  proof: string;
  draft?: boolean;
  evidence: object;
}

const none = { fault: { status: 'none', failsBefore: [] } };
const altered = { proof: 'partly proven', draft: true, evidence: none };

const cases: Record<string, Case> = {
  'only the data of a test is edited': {
    files: { ...start, 'add.test.mjs': readsFrom('golden/add.json'), 'golden/add.json': '5' },
    turns: [edit('golden/add.json', '5', '-1')],
    ...altered,
  },
  'the data has a name of its own': {
    files: { ...start, 'add.test.mjs': readsFrom('sums/add.json'), 'sums/add.json': '5' },
    turns: [version, edit('sums/add.json', '5', '-1')],
    ...altered,
  },
  'only the assertion is edited': {
    files: { ...start, 'test-adds.mjs': adds },
    turns: [edit('test-adds.mjs', '3), 5', '3), -1')],
    ...altered,
  },
  'a new test reads a new file': {
    files: start,
    turns: [version, write('fixtures/x.json', '-1'), write('add.test.mjs', readsFrom('fixtures/x.json'))],
    proof: 'proven',
    evidence: none,
  },
  'a folder of tests takes the place of a file': {
    files: { ...start, test: 'a list of tests\n', 'tool.mjs': "export const list = 'test';\n" },
    turns: [
      edit('sum.mjs', 'a - b', 'a + b'),
      turn(call('delete_file', { path: 'test' })),
      write('test/add.test.mjs', adds.replace('./sum.mjs', '../sum.mjs')),
    ],
    proof: 'proven',
    evidence: { fault: { status: 'shown', failsBefore: [{ name: 'adds' }] } },
  },
  'a new test imports a new helper': {
    files: start,
    turns: [
      version,
      write('helper.mjs', 'export const expected = -1;\n'),
      write(
        'add.test.mjs',
        testOf(
          'adds',
          "const { expected } = await import('./helper.mjs'); assert.equal(sum.add(2, 3), expected)",
        ),
      ),
    ],
    proof: 'proven',
    evidence: { fault: { status: 'weak', failsBefore: [], cannotLoad: [{ file: 'add.test.mjs' }] } },
  },
  'a test runs only without the change': {
    files: start,
    turns: [
      version,
      write(
        'add.test.mjs',
        adds.replace("test('adds'", "if (sum.version) test('nothing', () => {}); else test('adds'"),
      ),
    ],
    proof: 'proven',
    evidence: none,
  },
  'a test is skipped, and another added': {
    kind: 'implement',
    files: { ...start, 'sum.mjs': sound, 'add.test.mjs': adds },
    turns: [
      edit('add.test.mjs', "test('adds',", "test('adds', { skip: true },"),
      write('more.test.mjs', testOf('more', 'assert.ok(sum)')),
    ],
    proof: 'partly proven',
    evidence: { doubts: ['test skips more tests than before the change: 1 instead of 0.'] },
  },
  'a file is edited that the command loads': {
    kind: 'implement',
    files: { ...start, 'register.mjs': '', ...checkedBy('node --import=./register.mjs --test') },
    turns: [write('register.mjs', 'globalThis.early = true;\n')],
    proof: 'partly proven',
    evidence: { doubts: ['The change edits register.mjs, which decides how checks run.'] },
  },
  'a file is edited that a script loads': {
    kind: 'implement',
    files: {
      ...start,
      'setup/register.mjs': '',
      'package.json': '{ "scripts": { "test": "node --import ./setup/register.mjs --test" } }\n',
      ...checkedBy('npm test'),
    },
    turns: [write('setup/register.mjs', 'globalThis.early = true;\n')],
    proof: 'partly proven',
    evidence: { doubts: ['The change edits setup/register.mjs, which decides how checks run.'] },
  },
};

/** Prints what Jest prints: the names of passed tests only with --verbose. */
const jest = `import { existsSync, readFileSync } from 'node:fs';
const isVerbose = process.argv.includes('--verbose');
import * as sum from '../sum.mjs';
{
  const tests = { halves: () => sum.half(4) === 2 };
  const file = 'add.test.js';
  if (existsSync(file)) tests[readFileSync(file, 'utf8').includes('version') && sum.version ? 'nothing' : 'adds'] = () => sum.add(2, 3) === 5 || sum.version === 2;
  const failed = Object.keys(tests).filter((name) => !tests[name]());
  console.log((failed.length ? 'FAIL ./' : 'PASS ./') + file);
  for (const name of failed) console.log('  ● ' + name + '\\n\\n    expect(received).toBe(expected)\\n\\n      at Object.<anonymous> (add.test.js:1:1)\\n');
  if (isVerbose) for (const name of Object.keys(tests)) if (!failed.includes(name)) console.log('  ✓ ' + name + ' (1 ms)');
  const passed = Object.keys(tests).length - failed.length;
  console.log('\\nTest Suites: ' + (failed.length ? '1 failed, ' : '1 passed, ') + '1 total');
  console.log('Tests:       ' + (failed.length ? failed.length + ' failed, ' : '') + passed + ' passed, ' + Object.keys(tests).length + ' total');
  process.exitCode = failed.length ? 1 : 0;
}
`;
const withJest = { 'sum.mjs': broken, 'tools/jest': jest, ...checkedBy('node tools/jest') };
Object.assign(cases, {
  'a runner names passed tests only if it is asked to': {
    files: withJest,
    turns: [edit('sum.mjs', 'a - b', 'a + b'), write('add.test.js', "test('adds')\n")],
    proof: 'proven',
    evidence: { fault: { status: 'shown', failsBefore: [{ name: 'adds' }] } },
  },
  'another test runs in its place, in a runner that does not name it': {
    files: withJest,
    turns: [version, write('add.test.js', 'if (version)\n')],
    proof: 'proven',
    evidence: none,
  },
} satisfies Record<string, Case>);

const slow = {
  ...start,
  'half.test.mjs': testOf(
    'halves',
    'await new Promise((end) => setTimeout(end, 1_600)); assert.equal(sum.half(4), 2)',
  ),
  'add.test.mjs': `${adds}test('adds nothing', () => assert.equal(sum.add(2, 0), 2));\n`,
};
const longCases: Record<string, Case> = {
  'long: the assertion is edited': {
    files: slow,
    turns: [edit('add.test.mjs', '3), 5', '3), -1')],
    ...altered,
  },
  'long: the test is skipped': {
    files: slow,
    turns: [version, edit('add.test.mjs', "test('adds',", "test('adds', { skip: sum.version === 2 },")],
    proof: 'partly proven',
    evidence: none,
  },
};

const conversationsOf = (some: Record<string, Case>): Conversation[] =>
  Object.entries(some).map(([name, { turns }]) =>
    conversation(name, [...turns, done, done, done], { match: `please: ${name}.` }),
  );

const platform = await openPlatform({
  conversations: conversationsOf(cases),
  settings: { FETTLE_FAULT_EVIDENCE: 'on' },
});

async function expectCase(
  { run }: Pick<typeof platform, 'run'>,
  [name, { kind = 'fix', files, proof, draft = false, evidence }]: [string, Case],
) {
  const repository = openRepository(files);
  const { operation } = await run({ kind, description: `please: ${name}.`, repository: repository.path });
  expect(operation.outcome as Outcome).toMatchObject({ kind: 'proposal', proof, draft, evidence });
}

test.for(Object.entries(cases))('%s', (each) => expectCase(platform, each));

const patient = await openPlatform({
  conversations: conversationsOf(longCases),
  settings: { FETTLE_FAULT_EVIDENCE: 'on', FETTLE_LONG_CHECK_SECONDS: '1' },
});

test.for(Object.entries(longCases))('%s', (each) => expectCase(patient, each));
