import { expect, test } from 'vitest';
import { boundOutput } from './bound-output.ts';

test('leaves a short text alone', () => expect(boundOutput('short', 10)).toBe('short'));

test('keeps head and tail and says how much is missing', () => {
  expect(boundOutput('aaaaabbbbbccccc', 10)).toBe(
    'aaaaa\n… 5 characters left out here; ask for less to see them …\nccccc',
  );
});
