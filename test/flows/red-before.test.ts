/** Failures of the base commit are not the agent's fault. New failures are, and are reported with their location. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Kind } from '@fettle/contract';
import { type Conversation, call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf, userMessages } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { soundSum } from '../support/repository.ts';

const edit = (old: string, by: string) =>
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old, new: by }] }));
const told = (contains: string[], answer: ReturnType<typeof turn>): ReturnType<typeof turn> => ({
  ...answer,
  expect: { lastText: { contains } },
});
const note = turn(call('write_file', { path: 'notes.md', content: 'A note.\n' }));

const conversations: Conversation[] = [
  conversationFor('add a note', note, turn(say('Add a note'))),
  conversationFor('mend the notes', note, turn(say('Add a note'))),
  conversationFor(
    'break the sum',
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
  ),
  conversationFor(
    'unreadable',
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
  ),
  conversationFor(
    'a report',
    turn(call('write_file', { path: 'bad.txt', content: 'x\n' })),
    turn(say('Write it')),
    told(
      ['1 passed, 1 failed (junit)', 'What it found (data):\n```\nsrc/b.test.js:7 two\n  it broke\n```'],
      turn(call('delete_file', { path: 'bad.txt' }), call('write_file', { path: 'good.txt', content: 'x' })),
    ),
    turn(say('Write the good one')),
  ),
];

const platform = await openPlatform({ conversations });

const other =
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\ntest('other', () => assert.fail('of old'));\n";
const redOther = { ...soundSum, 'other.test.mjs': other };

async function run(files: Record<string, string>, description: string, kind: Kind = 'implement') {
  const repository = openRepository(files);
  const again = () => platform.run({ kind, description, repository: repository.path });
  const { operation, events } = await again();
  return { outcome: proposalOf(operation), events, again };
}

const checksOf = (events: Event[]) =>
  ofType(events, 'check.finished').map(
    ({ phase, check, remembered }) => `${phase} ${check.status}${remembered ? ' remembered' : ''}`,
  );
const bodyOf = (events: Event[]) =>
  ofType(events, 'proposal.committed')
    .map(({ body }) => body)
    .join();

test('a check that failed before causes no draft, is reported, and is measured once', async () => {
  const { outcome, events, again } = await run(redOther, 'add a note');
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify failed', 'base failed', 'fresh failed']);
  expect(bodyOf(events)).toMatch(
    /Red as before the change, with the same failures:\n- test in [\d.]+ s: 1 passed, 1 failed \(`node --test`\)\n {2}- `other.test.mjs` `other`/,
  );
  expect(checksOf((await again()).events)).toEqual([
    'verify failed',
    'base failed remembered',
    'fresh failed',
  ]);
  expect(readdirSync(join(platform.home, 'base-checks'))).toContainEqual(expect.stringMatching(/\.json$/));
});

test('a draft of an agent that had to stop also reports failures of the base', async () => {
  const files = {
    ...redOther,
    '.fettle/config.yml': 'commands:\n  test: node --test\nbudgets: { turns: 1 }\n',
  };
  const { outcome, events } = await run(files, 'add a note');
  expect(outcome).toMatchObject({ draft: true, reason: 'budget_turns' });
  expect(bodyOf(events)).toContain('; it failed the same way before this change');
});

test('a fix that leaves all failures is a draft, and the agent is not asked again', async () => {
  const { outcome, events } = await run(redOther, 'mend the notes', 'fix');
  expect(outcome).toMatchObject({ draft: true, reason: 'verification_failed' });
  expect(checksOf(events)).toEqual(['verify failed', 'base failed', 'fresh failed']);
});

test('a new failure in a check that failed before is sent back with its location, without the old failure', async () => {
  const { outcome, events } = await run(redOther, 'break the sum');
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify failed', 'base failed', 'verify failed', 'fresh failed']);
  const told = userMessages(events);
  expect(told[1]?.split('The end of its output')[0]).not.toContain('of old');
  const first = ofType(events, 'check.finished')[0]?.check.report;
  // By the age of the Node that the sandbox finds.
  expect(['node:test', 'tap']).toContain(first?.tool);
  expect(first).toMatchObject({ passed: 0, failed: 2, skipped: 0 });
});

test('for output that cannot be parsed, the agent gets its end and a note', async () => {
  const command = 'if [ -e wrong.txt ]; then echo it is there; exit 3; fi';
  const { outcome, events } = await run(
    { 'a.txt': 'a', '.fettle/config.yml': `commands: { build: "${command}" }\n` },
    'unreadable',
  );
  expect(outcome.draft).toBe(false);
  expect(checksOf(events)).toEqual(['verify failed', 'base passed', 'verify passed', 'fresh passed']);
});

test('a report file is read only if the check wrote it', async () => {
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
  expect(checksOf(events)).toEqual(['verify failed', 'base passed', 'verify passed', 'fresh passed']);
  const reports = ofType(events, 'check.finished').map(({ check }) => check.report);
  expect(reports.map((report) => report?.failed)).toEqual([1, undefined, undefined, undefined]);
});
