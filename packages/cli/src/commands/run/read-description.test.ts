import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runFettleWithInput } from '../../testing/run-fettle.ts';
import { readDescription } from './read-description.ts';

test('words are joined', async () => {
  expect(await readDescription(['the', 'total', '-'])).toBe('the total -');
});

test('a single - reads standard input to its end', async () => {
  expect(await readDescription(['-'], Readable.from(['the total\n', 'is off\n']))).toBe('the total\nis off');
});

test('nothing on standard input is wrong usage', async () => {
  const { exitCode, stderr } = await runFettleWithInput(['run', 'fix', '-', '--repo', '.'], ' \n');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('the description on standard input is empty.'),
  ]);
});
