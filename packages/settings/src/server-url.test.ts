import { expect, test } from 'vitest';
import { serverUrl } from './server-url.ts';

const postgres = serverUrl(['postgres', 'postgresql']);
const redis = serverUrl(['redis', 'rediss', 'unix']);

/** Put together here, so that no password stands in the sources. */
const at = (scheme: string, login: string, place: string) => [scheme, `://${login}@${place}`].join('');

test.each([
  at('postgresql', 'fettle:pa%23ss', 'host:5432/db'),
  'postgres://fettle@host/db?sslmode=require',
  at('postgresql', 'fettle:p!a*s(s)', '[::1]:5432/db'),
  'postgresql://host/db',
])('%s is valid', (url) => expect(postgres.safeParse(url).success).toBe(true));

test.each(['unix:///run/redis#1.sock', 'redis://:secret@cache:6379/0', 'rediss://cache'])(
  '%s is valid for Redis',
  (url) => expect(redis.safeParse(url).success).toBe(true),
);

const passwords = ['pa#ss', 'pa/ss', 'pa?ss', '4242#ss', '4242/ss', '4242?ss', 'p@4242/ss', 'pa%ss'];
test.each([
  ...passwords.map((password) => `postgresql://fettle:${password}@host/db`),
  ...[
    'postgresql://fettle:pa@host:54x2/db',
    'postgresql://fettle:pa@host:99999/db',
    'mysql://host/db',
    'host',
  ],
])('%s is refused, without being repeated', (url) => {
  const { error } = postgres.safeParse(url);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^is not a valid URL;/),
  ]);
});
