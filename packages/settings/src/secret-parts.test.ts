import { expect, test } from 'vitest';
import { listPairSecrets, listUrlSecrets } from './secret-parts.ts';

test('the password of an address, as written and as meant', () => {
  const address = (password: string) => ['redis:/', `/user:${password}@host:6379/0`].join('');
  expect(listUrlSecrets(address('one%2Ftwo'))).toEqual(['one%2Ftwo', 'one/two']);
  expect(listUrlSecrets(address('a@b'))).toEqual(['a@b']);
  expect(listUrlSecrets(address('%zz'))).toEqual(['%zz']);
  for (const other of ['redis://host:6379', 'unix:///a/b.sock', 'redis://user@host', undefined])
    expect(listUrlSecrets(other)).toEqual([]);
});

test('the values of pairs', () => {
  expect(listPairSecrets('npm=one, pypi=two=2,')).toEqual(['one', 'two=2']);
  expect(listPairSecrets(undefined)).toEqual([]);
});
