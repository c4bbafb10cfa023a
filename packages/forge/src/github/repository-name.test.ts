import { expect, test } from 'vitest';
import { readRepositoryName } from './repository-name.ts';

test.each([
  ['acme/shop', 'acme/shop'],
  ['https://github.com/acme/shop', 'acme/shop'],
  ['https://github.com/acme/shop.git', 'acme/shop'],
  ['https://github.com/acme/shop/issues/7#comment', 'acme/shop'],
  ['https://github.com/acme', undefined],
  ['https://user:secret@github.com/acme/shop', undefined],
  ['https://github.com.example.com/acme/shop', undefined],
  ['https://example.com/acme/shop', undefined],
  ['acme/..', undefined],
  ['-acme/shop', undefined],
  ['acme/shop/more', undefined],
  ['/srv/acme/shop', undefined],
])('%s names %s', (input, name) => {
  expect(readRepositoryName(input, 'https://github.com')).toBe(name);
});
