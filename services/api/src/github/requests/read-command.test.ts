import { expect, test } from 'vitest';
import { readCommand } from './read-command.ts';

const read = (body: string) => readCommand(body, 'fettle');

test.each([
  ['/fix the total is wrong', { kind: 'fix', text: 'the total is wrong' }],
  ['Hello\n\n/ASK why?\nand how?', { kind: 'ask', text: 'why?\nand how?' }],
  ['/implement\r\nthis\r\n', { kind: 'implement', text: 'this' }],
  ['/fix', { kind: 'fix', text: '' }],
  ['@fettle fix it', { kind: 'fix', text: 'it' }],
  ['@Fettle[bot], /debug it', { kind: 'debug', text: 'it' }],
  ['@fettle rename it, please', { kind: 'mention', text: 'rename it, please' }],
  [
    '@fettle stop the timer when the page closes',
    { kind: 'mention', text: 'stop the timer when the page closes' },
  ],
  ['/fettle stop', { kind: 'stop' }],
  ['@fettle retry', { kind: 'retry' }],
  ['/fettle refactor the parser', { kind: 'refactor', text: 'the parser' }],
  ['> /fix no\n\n/fix yes', { kind: 'fix', text: 'yes' }],
  ['```\n/fix no\n```\n/fix yes', { kind: 'fix', text: 'yes' }],
  ['/fix it:\n```\nError: /fix\n```', { kind: 'fix', text: 'it:\n```\nError: /fix\n```' }],
])('%j is a command', (body, command) => {
  expect(read(body)).toEqual(command);
});

test.each([
  'please /fix it',
  ' /fix indented',
  '    /fix code',
  '`/fix`',
  '```\n/fix in code\n```',
  '````\n```\n/fix still in code\n````',
  '~~~\n/fix in code without an end',
  '> /fix quoted',
  '> quoted\n/fix on its last line',
  '<!-- \n/fix hidden\n-->',
  '<!-- /fix hidden without an end',
  '/fixed it',
  '/home/fix it',
  '@fettler fix it',
  '@someone fix it',
  'mail me@fettle fix',
  '/fettle',
  '/fettle hello',
])('%j is no command', (body) => {
  expect(read(body)).toBeUndefined();
});
