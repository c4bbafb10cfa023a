import { expect, test } from 'vitest';
import { createFailureNote } from './failure-note.ts';

test('a failure is logged when it begins, once a minute, and when it is resolved', () => {
  const lines: unknown[] = [];
  const log = { warn: (detail: object, message: string) => lines.push([message, detail]) };
  let now = 0;
  const note = createFailureNote(log, 'it did not work', () => now);
  note.recovered();
  for (; now < 90_000; now += 1_000) note.failed(new Error('away'));
  note.recovered();
  note.recovered();
  note.failed(new Error('away again'));
  expect(lines).toEqual([
    ['it did not work', { err: new Error('away') }],
    ['it did not work', { failures: 61, why: 'away' }],
    ['resolved: it did not work', { failures: 90 }],
    ['it did not work', { err: new Error('away again') }],
  ]);
});
