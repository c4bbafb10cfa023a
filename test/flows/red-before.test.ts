/** What was red on the base commit is not the agent's fault; what is new is, and is told with its place. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Kind } from '@fettle/contract';
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, soundSum } from '../support/repository.ts';

const edit = (old: string, by: string) =>
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old, new: by }] }));
const told = (contains: string[], answer: ReturnType<typeof turn>): ReturnType<typeof turn> => ({
  ...answer,
  expect: { lastText: { contains } },
});
const note = turn(call('write_file', { path: 'notes.md', content: 'A note.\n' }));

const conversations: Conversation[] = [
  conversation('note', [note, turn(say('Add a note'))], { match: 'add a note' }),
  conversation(
    'mend',
    [
      note,
      turn(say('Add a note')),
      told(
        ['failed before your change, and they still do', 'other.test.mjs:3:1 other'],
        turn(say('Not mine')),
      ),
    ],
    { match: 'mend the notes' },
  ),
  conversation(
    'break',
    [
      edit('a + b', 'a * b'),
      turn(say('Multiply')),
      told(
        [
          'test (node --test) ended with exit code 1: 0 passed, 2 failed (',
          '1 of them failed before your change too',
          'New:\nWhat it found (data):\n```\nsum.test.mjs:5:1 adds\n',
        ],
        edit('a * b', 'b + a'),
      ),
      turn(say('Add the other way round')),
    ],
    { match: 'break the sum' },
  ),
  conversation(
    'unreadable',
    [
      turn(call('write_file', { path: 'wrong.txt', content: 'x\n' })),
      turn(say('Write it')),
      told(
        ['Fettle cannot parse its output', 'it is there'],
        turn(
          call('delete_file', { path: 'wrong.txt' }),
          call('write_file', { path: 'right.txt', content: 'x' }),
        ),
      ),
      turn(say('Write the right one')),
    ],
    { match: 'unreadable' },
  ),
  conversation(
    'report',
    [
      turn(call('write_file', { path: 'bad.txt', content: 'x\n' })),
      turn(say('Write it')),
      told(
        ['1 passed, 1 failed (junit)', 'What it found (data):\n```\nsrc/b.test.js:7 two\n  it broke\n```'],
        turn(
          call('delete_file', { path: 'bad.txt' }),
          call('write_file', { path: 'good.txt', content: 'x' }),
        ),
      ),
      turn(say('Write the good one')),
    ],
    { match: 'a report' },
  ),
];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ conversations });
});
afterAll(async () => platform?.close());

const other =
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\ntest('other', () => assert.fail('of old'));\n";
const redOther = { ...soundSum, 'other.test.mjs': other };

async function run(files: Record<string, string>, description: string, kind: Kind = 'implement') {
  const repository = makeRepository(files);
  onTestFinished(repository.remove);
  const again = () => platform.run({ kind, description, repository: repository.path });
  const { operation, events } = await again();
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  return { outcome: operation.outcome, events, again };
}

const checksOf = (events: Event[]) =>
  events.flatMap((event) =>
    event.type === 'check.finished'
      ? [`${event.phase} ${event.check.ok}${event.remembered ? ' remembered' : ''}`]
      : [],
  );
const bodyOf = (events: Event[]) =>
  events.flatMap((event) => (event.type === 'proposal.committed' ? [event.body] : [])).join();

test('a check that was red before makes no draft, is said, and is measured once', async () => {
  const { outcome, events, again } = await run(redOther, 'add a note');
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify false', 'base false', 'fresh false']);
  expect(bodyOf(events)).toMatch(
    /- test: failed with exit code 1 in [\d.]+ s: 1 passed, 1 failed; it failed the same way before this change/,
  );
  expect(checksOf((await again()).events)).toEqual(['verify false', 'base false remembered', 'fresh false']);
  expect(readdirSync(join(platform.home, 'base-checks'))).toContainEqual(expect.stringMatching(/\.json$/));
});

test('a draft of an agent that had to stop says as well what was red before', async () => {
  const files = {
    ...redOther,
    '.fettle/config.yml': 'commands:\n  test: node --test\nbudgets: { turns: 1 }\n',
  };
  const { outcome, events } = await run(files, 'add a note');
  expect(outcome).toMatchObject({ draft: true, reason: 'budget_turns' });
  expect(bodyOf(events)).toContain('; it failed the same way before this change');
});

test('whoever is asked to mend something is told once of what was red before', async () => {
  const { outcome, events } = await run(redOther, 'mend the notes', 'fix');
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify false', 'base false', 'verify false', 'fresh false']);
});

test('a new failure in a check that was red already goes back, with its place and without the old one', async () => {
  const { outcome, events } = await run(redOther, 'break the sum');
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify false', 'base false', 'verify false', 'fresh false']);
  const told = events.flatMap((event) => (event.type === 'turn.started' && event.told ? [event.told] : []));
  expect(told[1]?.split('The end of its output')[0]).not.toContain('of old');
  const [first] = events.flatMap((event) => (event.type === 'check.finished' ? [event.check.report] : []));
  // By the age of the Node that the sandbox finds.
  expect(['node:test', 'tap']).toContain(first?.tool);
  expect(first).toMatchObject({ passed: 0, failed: 2, skipped: 0 });
});

test('of output that nobody can read the end is told, and that it is only that', async () => {
  const command = 'if [ -e wrong.txt ]; then echo it is there; exit 3; fi';
  const { outcome, events } = await run(
    { 'a.txt': 'a', '.fettle/config.yml': `commands: { build: "${command}" }\n` },
    'unreadable',
  );
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify false', 'base true', 'verify true', 'fresh true']);
});

test('a report file is read when the check wrote it, and not when it was there before', async () => {
  const xml = (second: string) =>
    `<testsuites><testsuite name='s'><testcase file='src/a.test.js' name='one'/><testcase file='src/b.test.js' line='7' name='two'>${second}</testcase></testsuite></testsuites>`;
  const check = `mkdir -p out/x && if [ -e bad.txt ]; then cp bad.xml out/x/r.xml; exit 1; fi`;
  const { outcome, events } = await run(
    {
      '.gitignore': 'out\n',
      '.fettle/config.yml': `reports: [out/*/*.xml, old.xml]\ncommands: { test: "${check}" }\n`,
      'bad.xml': xml("<failure message='it broke'/>"),
      'old.xml': xml("<failure message='long ago'/>"),
    },
    'a report',
  );
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify false', 'base true', 'verify true', 'fresh true']);
  const reports = events.flatMap((event) => (event.type === 'check.finished' ? [event.check.report] : []));
  expect(reports.map((report) => report?.failed)).toEqual([1, undefined, undefined, undefined]);
});
