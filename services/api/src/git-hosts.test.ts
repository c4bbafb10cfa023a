import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const read = (hosts: string, tokens = '') =>
  readConfig({
    FETTLE_WORKER_KEY: 'a-key-of-sixteen-characters',
    REDIS_URL: 'redis://localhost',
    FETTLE_GIT_HOSTS: hosts,
    FETTLE_GIT_TOKENS: tokens,
  }).gitHosts;

test('a host without a scheme means https, and a token applies to its host only', () => {
  const hosts = read('git.example.com, http://10.0.0.5:3000,https://b.test:8443', 'git.example.com=abc=d');
  expect([...hosts]).toEqual([
    ['https://git.example.com', 'abc=d'],
    ['http://10.0.0.5:3000', undefined],
    ['https://b.test:8443', undefined],
  ]);
  expect(read('').size).toBe(0);
});

test.each([
  ['a path', 'git.example.com/owner', ''],
  ['another protocol', 'ssh://git.example.com', ''],
  ['credentials', 'https://me:secret@git.example.com', ''],
  ['a token without its host', 'a.test', 'b.test=secret'],
  ['a token for a host without https', 'http://a.test', 'http://a.test=secret'],
  ['a token alone', 'a.test', 'secret'],
])('%s is rejected', (_name, hosts, tokens) => {
  expect(() => read(hosts, tokens)).toThrow(/FETTLE_GIT_(HOSTS|TOKENS): /);
  expect(() => read(hosts, tokens)).not.toThrow(/secret/);
});
