import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from '@fettle/fake-github';
import { createLog } from '@fettle/log';
import { expect, onTestFinished, test } from 'vitest';
import { type Github, openGithub } from './open-github.ts';
import type { GithubCredentials } from './settings.ts';

const silent = createLog('test', 'silent', (text) => text);

async function open(options: FakeGithubOptions = {}, personal?: (fake: FakeGithub) => GithubCredentials) {
  const fake = await startFakeGithub({
    repositories: [{ name: 'acme/shop', files: { 'a.txt': 'a\n' }, roles: { ada: 'write' } }],
    ...(personal === undefined && { app: { name: 'Fettle', installedFor: ['acme'] } }),
    ...options,
  });
  const { app } = fake;
  const credentials = personal?.(fake) ?? {
    kind: 'app' as const,
    appId: String(app?.app.id),
    privateKey: app?.privateKey ?? '',
  };
  const github = openGithub({ credentials, apiUrl: fake.apiUrl, url: fake.url, log: silent, pacing: false });
  onTestFinished(async () => {
    await github.close();
    await fake.close();
  });
  return { fake, github };
}

const live = (fake: FakeGithub) => fake.tokens().filter(({ isRevoked }) => !isRevoked);
const find = (github: Github) => github.findRepository('acme/shop');

test('an App finds a repository by its name, and its token for the search is revoked', async () => {
  const { fake, github } = await open();
  expect(await find(github)).toEqual({
    githubId: fake.repository('acme/shop').id,
    ...{ name: 'acme/shop', url: `${fake.url}/acme/shop.git`, defaultBranch: 'main' },
    installationId: fake.installations()[0]?.id,
  });
  expect(await github.botLogin()).toBe('fettle[bot]');
  expect((await github.syncInstallations()).map(({ name }) => name)).toEqual(['acme/shop']);
  expect(live(fake)).toEqual([]);
});
