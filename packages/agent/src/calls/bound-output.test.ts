import { expect, test } from 'vitest';
import { boundOutput } from './bound-output.ts';

test('a short text stays as it is', () => expect(boundOutput('short', 10)).toBe('short'));

test('keeps head and tail and states how much is missing', () => {
  expect(boundOutput('aaaaabbbbbccccc', 10)).toBe(
    'aaaaa\n… 5 characters left out here; request less output to see them …\nccccc',
  );
});
