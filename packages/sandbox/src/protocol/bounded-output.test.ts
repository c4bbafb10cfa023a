import { expect, it } from 'vitest';
import { createBoundedOutput } from './bounded-output.ts';

function keep(maxBytes: number, pieces: string[]): [string, string, number] {
  const output = createBoundedOutput(maxBytes);
  for (const piece of pieces) output.push(Buffer.from(piece));
  return [output.head().toString(), output.tail().toString(), output.omittedBytes()];
}

it('keeps everything up to the limit, and head and tail beyond it, however the input is split', () => {
  expect(keep(10, [])).toEqual(['', '', 0]);
  expect(keep(10, ['abc'])).toEqual(['abc', '', 0]);
  expect(keep(10, ['abcdefghij'])).toEqual(['abcde', 'fghij', 0]);
  expect(keep(10, ['abcdefghijk'])).toEqual(['abcde', 'ghijk', 1]);
  const text = 'abcdefghijklmnopqrstuvwxyz';
  for (const size of [1, 2, 3, 4, 5, 7, 11, 25, 26]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    expect(keep(10, pieces)).toEqual(['abcde', 'vwxyz', 16]);
  }
  expect(keep(0, ['abc'])).toEqual(['', '', 3]);
});
