import type { EventBody, FinishedToolPart } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createRemarkBook } from './remark-book.ts';

const part = (number: number, more: Partial<FinishedToolPart>): EventBody => ({
  type: 'part.finished',
  part: {
    ...{ number, turn: 1, kind: 'tool', callId: 'c', tool: 'run_command', input: {}, status: 'ok' },
    ...{ output: '', durationMs: 1, programMs: 1, changed: [], ...more },
  },
});
const remark = { rule: 'operator: git commit', token: 'git commit', reason: 'a person looks at commits' };

test('commands that a person has to be shown are kept once, from whatever is on record', () => {
  const book = createRemarkBook();
  book.note([part(1, {}), part(2, { remarks: [remark] })]);
  book.note([part(3, { remarks: [remark, { ...remark, rule: 'operator: rm', token: 'rm' }] })]);
  expect(book.list()).toEqual([
    { path: 'git commit', rule: 'operator: git commit', reason: remark.reason, tokens: [] },
    { path: 'rm', rule: 'operator: rm', reason: remark.reason, tokens: [] },
  ]);
});
