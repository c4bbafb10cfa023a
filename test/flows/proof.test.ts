/** What a proposal proves: checks that did not run, failures compared by name, and tests that show the fault. */
import type { Event, Kind, Outcome } from '@fettle/contract';
import { type Conversation, call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';

type Turn = ReturnType<typeof turn>;
const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const edit = (path: string, old: string, by: string) =>
  turn(call('edit_file', { path, edits: [{ old, new: by }] }));
const done = turn(say('Done'));
const told = (contains: string[], answer: Turn): Turn => ({ ...answer, expect: { lastText: { contains } } });

const testOf = (name: string, body: string) =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport * as sum from './sum.mjs';\ntest('${name}', () => { ${body} });\n`;
const sound = 'export const add = (a, b) => a + b;\nexport const half = (a) => a / 2;\n';
const broken = sound.replace('a + b', 'a - b');
const halves = { 'half.test.mjs': testOf('halves', 'assert.equal(sum.half(4), 2)') };
const adds = { 'add.test.mjs': testOf('adds', 'assert.equal(sum.add(2, 3), 5)') };
const nodeTest = { '.fettle/config.yml': 'commands:\n  test: node --test\n' };
const checkedBy = (command: string) => ({ '.fettle/config.yml': `commands:\n  test: ${command}\n` });
const fix = edit('sum.mjs', 'a - b', 'a + b');

interface Case {
  kind?: Kind;
  files: Record<string, string>;
  turns: Turn[];
  proof: string;
  reason?: string;
  /** What the evidence contains. */
  evidence?: object;
  title?: string;
  body: (string | RegExp)[];
}

const cases: Record<string, Case> = {
  'exit code 127 in the fresh run only': {
    kind: 'implement',
    files: { 'a.txt': 'a', '.gitignore': 'tools\n', ...checkedBy('tools/xo') },
    turns: [
      turn(call('run_command', { command: 'mkdir tools && cp /bin/true tools/xo' })),
      write('b.txt', 'b\n'),
      done,
    ],
    proof: 'unproven',
    reason: 'unproven',
    evidence: {
      passed: [],
      redBefore: [],
      couldNotRun: [{ name: 'test', obstacle: { code: 'missing_program' } }],
    },
    body: ['Could not run:\n- test: `tools/xo` is not installed'],
  },
  'exit code 127 on both': {
    kind: 'implement',
    files: { 'a.txt': 'a', ...checkedBy('xo') },
    turns: [write('b.txt', 'b\n'), done],
    proof: 'unproven',
    reason: 'unproven',
    evidence: {
      passed: [],
      redBefore: [],
      couldNotRun: [{ name: 'test', obstacle: { code: 'missing_program' } }],
    },
    body: ['Could not run:\n- test: `xo` is not installed'],
  },
  'a change that removes the program of the check': {
    kind: 'implement',
    files: { 'a.txt': 'a', 'check.sh': 'echo fine\n', ...checkedBy('sh check.sh') },
    turns: [turn(call('delete_file', { path: 'check.sh' })), ...Array(5).fill(done)],
    proof: 'unproven',
    reason: 'verification_failed',
    body: ['test still failed after 5 rounds'],
  },
  'out of memory': {
    kind: 'implement',
    files: {
      'a.txt': 'a',
      'hog.mjs': 'const a = []; for (;;) a.push(new Array(1e5).fill({}));\n',
      ...checkedBy('node --max-old-space-size=30 hog.mjs'),
    },
    turns: [write('b.txt', 'b\n'), done],
    proof: 'unproven',
    reason: 'unproven',
    evidence: { couldNotRun: [{ obstacle: { code: 'out_of_memory' } }] },
    body: ['It ran out of memory'],
  },
  'no test executed': {
    kind: 'implement',
    files: { 'sum.mjs': sound, ...nodeTest },
    turns: [write('b.txt', 'b\n'), done],
    proof: 'unproven',
    reason: 'unproven',
    evidence: { passed: [], couldNotRun: [{ obstacle: { code: 'no_tests' } }] },
    body: ['It executed no test'],
  },
  'red before by the same names': {
    kind: 'implement',
    files: { 'sum.mjs': broken, ...halves, ...adds, ...nodeTest },
    turns: [write('b.txt', 'b\n'), done],
    proof: 'partly proven',
    evidence: { passed: [], failed: [], redBefore: [{ name: 'test', failures: [{ name: 'adds' }] }] },
    body: [/Red as before the change, with the same failures:\n- test in .*\n {2}- `add.test.mjs` `adds`/],
  },
  'a red check that needs the network': {
    kind: 'implement',
    files: {
      'sum.mjs': sound,
      ...halves,
      'net.test.mjs': testOf('asks', 'throw new Error("getaddrinfo ENOTFOUND example.com")'),
      ...nodeTest,
    },
    turns: [write('b.txt', 'b\n'), done],
    proof: 'partly proven',
    evidence: { redBefore: [{ hints: [expect.stringMatching(/^Part of it needs the network, /)] }] },
    body: ['Part of it needs the network, which the sandbox does not have.'],
  },
  'one more red than before': {
    kind: 'implement',
    files: { 'sum.mjs': broken, ...halves, ...adds, ...nodeTest },
    turns: [edit('sum.mjs', 'a / 2', 'a / 3'), ...Array(5).fill(done)],
    proof: 'unproven',
    reason: 'verification_failed',
    evidence: { failed: [{ failures: [{ name: 'halves' }] }] },
    body: [/failures that the base commit does not have:\n- test .*\n {2}- `half.test.mjs` `halves`\n/],
  },
  'a red test made worse': {
    files: { 'sum.mjs': broken, ...halves, ...adds, ...nodeTest },
    turns: [
      edit('sum.mjs', 'a - b', '{ throw new Error("worse") }'),
      done,
      told(['no test shows the fault'], done),
    ],
    proof: 'partly proven',
    reason: 'verification_failed',
    evidence: { redBefore: [{ failures: [{ name: 'adds' }] }] },
    body: ['**No test shows the fault.**', 'This is a draft'],
  },
  'a fix whose new test fails before and passes after': {
    files: { 'sum.mjs': broken, ...halves, ...nodeTest },
    turns: [fix, write('add.test.mjs', adds['add.test.mjs']), done],
    proof: 'proven',
    title: '✓ Done',
    evidence: { fault: { status: 'shown', failsBefore: [{ file: 'add.test.mjs', name: 'adds' }] } },
    body: ['### Evidence\n**Fails before, passes after:**\n- `add.test.mjs` `adds`', '### Proof: ✓ proven'],
  },
  'a test that was asked for': {
    files: { 'sum.mjs': broken, ...halves, ...nodeTest },
    turns: [fix, done, told(['no test shows the fault'], write('add.test.mjs', adds['add.test.mjs'])), done],
    proof: 'proven',
    evidence: { fault: { status: 'shown', failsBefore: [{ name: 'adds' }] } },
    body: ['**Fails before, passes after:**'],
  },
  'a test that claims to fail before and does not': {
    files: { 'sum.mjs': broken, ...halves, ...nodeTest },
    turns: [
      fix,
      write('more.test.mjs', testOf('failed before', 'assert.equal(sum.add(2, 0), 2)')),
      turn(say('Add again\n\nThe sum subtracted.')),
      told(
        ['These tests of the change pass without it, too', 'more.test.mjs'],
        turn(say('Done\n\nThe new test failed before.')),
      ),
    ],
    proof: 'proven',
    evidence: { fault: { status: 'none', failsBefore: [], passesBefore: [{ file: 'more.test.mjs' }] } },
    title: '✓ Add again',
    body: [
      'The sum subtracted.\n\nDone\n\nThe new test failed before.',
      '**No test shows the fault.**',
      'Passes before and after:\n- `more.test.mjs`',
    ],
  },
  'a test file that cannot be loaded before': {
    files: { 'sum.mjs': broken, ...halves, ...nodeTest },
    turns: [
      edit('sum.mjs', 'a - b;', 'a + b;\nexport const twice = (a) => a * 2;'),
      write(
        'twice.test.mjs',
        testOf('doubles', 'assert.equal(twice(2), 4)').replace('import * as sum', 'import { twice }'),
      ),
      done,
    ],
    proof: 'proven',
    evidence: { fault: { status: 'weak', failsBefore: [], cannotLoad: [{ file: 'twice.test.mjs' }] } },
    body: ['Cannot be loaded before the change (weaker evidence):\n- `twice.test.mjs`'],
  },
  'a change of the script of a check': {
    kind: 'implement',
    files: {
      'sum.mjs': sound,
      ...halves,
      'package.json': '{ "scripts": { "test": "node --test" } }\n',
      ...checkedBy('npm test'),
    },
    turns: [edit('package.json', 'node --test', 'true'), done],
    proof: 'partly proven',
    title: 'Done',
    body: ['The change edits package.json, which decides how checks run.'],
  },
  'fewer tests than on the base': {
    kind: 'implement',
    files: { 'sum.mjs': sound, ...halves, ...adds, ...nodeTest },
    turns: [turn(call('delete_file', { path: 'add.test.mjs' })), done],
    proof: 'partly proven',
    body: [
      'This proves less than it seems to:',
      'test executes fewer tests than before the change: 1 instead of 2.',
    ],
  },
  'a source that ends the test process early': {
    kind: 'implement',
    files: {
      'sum.mjs': sound,
      'both.test.mjs': `${halves['half.test.mjs']}test('adds', () => assert.equal(sum.add(2, 3), 5));\n`,
      ...nodeTest,
    },
    turns: [edit('sum.mjs', 'a + b;', 'a + b;\nprocess.exit(0);'), done],
    proof: 'partly proven',
    title: 'Done',
    body: ['test executes fewer tests than before the change: 1 instead of 2.'],
  },
};

const reused = 'a check that the agent has just run';
const reuse: Conversation = conversationFor(
  `please: ${reused}.`,
  write('b.txt', 'b\n'),
  turn(call('test', { paths: ['half.test.mjs'], pattern: 'halves' })),
  turn(call('test', {})),
  done,
);

const conversations: Conversation[] = Object.entries(cases).map(([name, { turns }]) =>
  conversation(name, turns, { match: `please: ${name}.` }),
);
conversations.push(reuse);

const platform = await openPlatform({ conversations, settings: { FETTLE_FAULT_EVIDENCE: 'on' } });

const bodyOf = (events: Event[]) =>
  ofType(events, 'proposal.committed')
    .map(({ body }) => body)
    .join();

async function run(kind: Kind, name: string, files: Record<string, string>) {
  const repository = openRepository(files);
  return platform.run({ kind, description: `please: ${name}.`, repository: repository.path });
}

test.for(Object.entries(cases))(
  '%s',
  async ([name, { kind = 'fix', files, proof, reason, title, evidence, body }]) => {
    const { operation, events } = await run(kind, name, files);
    const wanted = {
      ...{ kind: 'proposal', proof, draft: reason !== undefined },
      ...(reason && { reason }),
      ...(evidence && { evidence }),
      ...(title && { pullRequest: { title } }),
    };
    expect(operation.outcome as Outcome).toMatchObject(wanted);
    for (const part of body) expect(bodyOf(events)).toMatch(part);
    if (proof !== 'proven') expect(JSON.stringify(operation.outcome)).not.toContain('✓');
  },
);

test('a whole check that the agent has just run is repeated in the fresh sandbox only', async () => {
  const { operation, events } = await run('implement', reused, {
    'sum.mjs': sound,
    ...halves,
    ...adds,
    ...nodeTest,
  });
  expect(operation.outcome).toMatchObject({ proof: 'proven' });
  const checks = ofType(events, 'check.finished').map(
    ({ phase, remembered }) => `${phase} ${remembered ? 'remembered' : 'ran'}`,
  );
  // The base, to compare the number of tests.
  expect(checks).toEqual(['verify remembered', 'fresh ran', 'base ran']);
  for (const { output } of toolParts(events, 'test'))
    expect(output).toMatch(
      /^test passed in [\d.]+ s: \d passed \(.*\) \(exit code 0\)\n\(read_output \{"part": \d+\} returns the whole output\)$/,
    );
});
