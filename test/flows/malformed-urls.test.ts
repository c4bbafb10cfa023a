/** No part of a password appears when the URL that contains it is malformed, or does not work. */
import { join } from 'node:path';
import { runProgram } from '@fettle/process';
import { expect, test } from 'vitest';
import { openFolder } from '../support/lifetime.ts';

const canary = /canary|4242/;
const passwords = [
  'canary#canary',
  '4242/canary',
  '4242?canary',
  'canary@canary',
  'c:canary',
  'canary%canary',
];
/** Put together here, so that no password stands in the sources. */
const urlOf = (user: string, password: string, place: string) =>
  ['postgresql:/', `/${user}:${password}@${place}`].join('');
/** On a user name that is also an address, a port that is part of the password is tried. */
const urls = [
  ...passwords.map((password) => urlOf('127.0.0.1', password, '127.0.0.1:1/db')),
  ...['127.0.0.1:54x2/db', '127.0.0.1:1/db', '127.0.0.1:1/db?sslcert=/missing'].map((place) =>
    urlOf('fettle', 'canary', place),
  ),
];

test.each(urls)('%s', async (url) => {
  const home = openFolder('fettle-canary');
  const environment = {
    FETTLE_HOME: home,
    FETTLE_WORKER_KEY: 'a-key-of-sixteen-or-more',
    FETTLE_LOG_LEVEL: 'debug',
    REDIS_URL: `unix://${join(home, 'redis.sock')}`,
    DATABASE_URL: url,
  };
  const argv = [process.execPath, join(import.meta.dirname, '../../services/api/src/main.ts')];
  const { exitCode, stdout, stderr } = await runProgram(argv, { environment, timeoutMs: 60_000 });
  expect({ exitCode, shown: canary.test(`${stdout}${stderr}`) && stderr }).toEqual({
    exitCode: 2,
    shown: false,
  });
  expect(stderr).toMatch(/^DATABASE_URL: /);
});
