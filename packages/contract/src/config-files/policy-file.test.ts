import { expect, test } from 'vitest';
import { readPolicyFile } from './policy-file.ts';

test('a rule names one program', () => {
  expect(readPolicyFile('commands: [{program: cargo, reason: not here}]')).toMatchObject({ ok: true });
});

test.each(['"*"', 'git*', '"git stash"', '"?"'])(
  'a rule for %s is rejected, because it would match nothing',
  (program) => {
    const reading = readPolicyFile(`commands: [{program: ${program}, reason: none}]`);
    expect(reading).toMatchObject({ ok: false, message: expect.stringContaining('one program') });
  },
);

test.each([
  ['a duplicate key', 'commands: []\ncommands: []\n'],
  ['a second document', 'version: 1\n---\nversion: 1\n'],
  ['an unknown key', 'comands: []\n'],
  ['a rule that allows', 'commands: [{program: rm, decision: allow, reason: x}]\n'],
  [
    'an alias bomb',
    `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\ncommands: [${'*b,'.repeat(50)}]\n`,
  ],
])('%s is rejected', (_, text) => {
  expect(readPolicyFile(text)).toMatchObject({ ok: false });
});
