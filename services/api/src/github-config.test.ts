import { generateKeyPairSync } from 'node:crypto';
import { readSettings, SettingsError } from '@fettle/settings';
import { expect, test } from 'vitest';
import { githubSettings, toGithubConfig } from './github-config.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const read = (environment: Record<string, string>) =>
  toGithubConfig(readSettings(githubSettings, environment));

test('GitHub is not connected by default, and not by a token that is for something else', () => {
  expect(read({}).credentials).toBeUndefined();
  expect(read({ GITHUB_TOKEN: 'a-token' }).credentials).toBeUndefined();
});

test('a token serves the listed repositories', () => {
  const list = 'acme/shop, https://github.com/acme/site';
  expect(read({ GITHUB_TOKEN: 'a-token', GITHUB_REPOSITORIES: list })).toMatchObject({
    ...{ url: 'https://github.com', apiUrl: 'https://api.github.com' },
    credentials: { kind: 'token', token: 'a-token', repositories: ['acme/shop', 'acme/site'] },
  });
});

test('an App wins over a token, and its key may be in one line', () => {
  const app = { GITHUB_APP_ID: '12', GITHUB_APP_PRIVATE_KEY: pem.replaceAll('\n', '\\n') };
  expect(read({ ...app, GITHUB_TOKEN: 'a-token', GITHUB_REPOSITORIES: 'a/b' }).credentials).toEqual({
    ...{ kind: 'app', appId: '12', privateKey: pem },
  });
});

test('the API of an enterprise server is found by its address', () => {
  expect(read({ GITHUB_URL: 'https://github.example.com/' })).toMatchObject({
    ...{ url: 'https://github.example.com', apiUrl: 'https://github.example.com/api/v3' },
  });
});

test.each([
  [{ GITHUB_APP_ID: '12' }, /^GITHUB_APP_PRIVATE_KEY is missing/],
  [{ GITHUB_APP_PRIVATE_KEY: pem }, /^GITHUB_APP_ID is missing/],
  [
    { GITHUB_APP_ID: '12', GITHUB_APP_PRIVATE_KEY: 'a-secret' },
    /^GITHUB_APP_PRIVATE_KEY: is not a private key/,
  ],
  [{ GITHUB_REPOSITORIES: 'acme' }, /"acme" is not of the form owner\/name/],
])('%# is an error that does not repeat the key', (environment, message) => {
  expect(() => read(environment as Record<string, string>)).toThrow(SettingsError);
  expect(() => read(environment as Record<string, string>)).toThrow(message);
  expect(() => read(environment as Record<string, string>)).not.toThrow('a-secret');
});
