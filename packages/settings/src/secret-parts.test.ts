import { expect, test } from 'vitest';
import { listPairSecrets, listUrlSecrets } from './secret-parts.ts';

test('the password of a URL, as written and decoded', () => {
  const url = (password: string) => ['redis:/', `/user:${password}@host:6379/0`].join('');
  expect(listUrlSecrets(url('one%2Ftwo'))).toEqual(['one%2Ftwo', 'one/two']);
  expect(listUrlSecrets(url('a@b'))).toEqual(['a@b']);
  expect(listUrlSecrets(url('%zz'))).toEqual(['%zz']);
  expect(listUrlSecrets(url('4242/rest#of?it'))).toEqual(['4242', 'rest']);
  for (const other of ['redis://host:6379', 'unix:///a/b.sock', 'redis://user@host', undefined])
    expect(listUrlSecrets(other)).toEqual([]);
});

test('the values of pairs', () => {
  expect(listPairSecrets('npm=one, pypi=two=2,')).toEqual(['one', 'two=2']);
  expect(listPairSecrets(undefined)).toEqual([]);
});
