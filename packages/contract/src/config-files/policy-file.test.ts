import { expect, test } from 'vitest';
import { readPolicyFile } from './policy-file.ts';

test('a rule names one program', () => {
  expect(readPolicyFile('commands: [{program: cargo, reason: not here}]')).toMatchObject({ ok: true });
});

test.each(['"*"', 'git*', '"git stash"', '"?"'])('a rule for %s would hold against nothing', (program) => {
  const reading = readPolicyFile(`commands: [{program: ${program}, reason: none}]`);
  expect(reading).toMatchObject({ ok: false, message: expect.stringContaining('one program') });
});

test.each([
  ['twice the same', 'commands: []\ncommands: []\n'],
  ['another document', 'version: 1\n---\nversion: 1\n'],
  ['a word that is none', 'comands: []\n'],
  ['more than allowed', 'commands: [{program: rm, decision: allow, reason: x}]\n'],
  [
    'much out of little',
    `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\ncommands: [${'*b,'.repeat(50)}]\n`,
  ],
])('%s stops the start', (_, text) => {
  expect(readPolicyFile(text)).toMatchObject({ ok: false });
});
