import { App } from '@octokit/app';
import { Octokit } from '@octokit/core';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from './start-fake-github.ts';

async function start(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const github = await startFakeGithub({
    users: ['ada', 'bob'],
    repositories: [{ name: 'acme/shop', files: { 'README.md': 'shop\n' }, roles: { ada: 'write' } }],
    app: { name: 'Fettle', installedFor: ['acme'] },
    ...options,
  });
  onTestFinished(() => github.close());
  return github;
}

async function connect(github: FakeGithub) {
  if (!github.app) throw new Error('no app');
  const app = new App({
    appId: github.app.app.id,
    privateKey: github.app.privateKey,
    webhooks: { secret: 'hush' },
    Octokit: Octokit.defaults({ baseUrl: github.apiUrl }),
  });
  const [installation] = github.installations();
  const octokit = await app.getInstallationOctokit(installation?.id ?? 0);
  return { app, octokit };
}

const shop = { owner: 'acme', repo: 'shop' };

test('an App signs in, comments on an issue and opens a pull request', async () => {
  const github = await start();
  const { app, octokit } = await connect(github);
  expect((await app.octokit.request('GET /app')).data?.slug).toBe('fettle');
  const issue = github.as('ada').openIssue('acme/shop', { title: 'Broken' });
  const comment = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...shop,
    issue_number: issue.number,
    body: 'On it.',
  });
  expect(comment.data.user?.login).toBe('fettle[bot]');
  await github.as('ada').push('acme/shop', 'fix', { 'README.md': 'shop!\n' });
  const pull = await octokit.request('POST /repos/{owner}/{repo}/pulls', {
    ...shop,
    title: 'Fix',
    head: 'fix',
    base: 'main',
  });
  expect(pull.data).toMatchObject({ number: 2, commits: 1, additions: 1, deletions: 1, mergeable: true });
  const again = octokit.request('POST /repos/{owner}/{repo}/pulls', {
    ...shop,
    title: 'Fix',
    head: 'fix',
    base: 'main',
  });
  await expect(again).rejects.toMatchObject({ status: 422 });
});
