import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@fettle/process';
import { expect, onTestFinished, test } from 'vitest';
import { installationClient, scopedToken, shop, startValidated, statusOf } from '../testing/start.ts';
import { gitEnvironment } from './config.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'fake-github-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function git(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await runProgram(['git', ...args], {
    cwd,
    environment: gitEnvironment(),
  });
  return { exitCode, text: `${stdout}${stderr}`.trim() };
}

const address = (url: string, token: string, name = 'acme/shop') =>
  `${url.replace('//', `//x-access-token:${token}@`)}/${name}.git`;

test('a token with contents: write clones and pushes, and each use is recorded', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, { repositories: ['shop'], permissions: { contents: 'write' } });
  const clone = join(await folder(), 'clone');
  expect(await git(tmpdir(), 'clone', '--quiet', address(github.url, text), clone)).toMatchObject({
    exitCode: 0,
  });
  await writeFile(join(clone, 'big.bin'), Buffer.alloc(3_000_000, 'x'.repeat(97)));
  await git(clone, 'checkout', '--quiet', '-b', 'fix');
  await git(clone, 'add', '.');
  await git(clone, 'commit', '--quiet', '-m', 'A fix');
  expect(await git(clone, '-c', 'http.postBuffer=1000', 'push', '--quiet', 'origin', 'fix')).toMatchObject({
    exitCode: 0,
  });
  const sha = (await git(clone, 'rev-parse', 'HEAD')).text;
  const octokit = await installationClient(github);
  const ref = await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...shop, ref: 'heads/fix' });
  expect(ref.data.object.sha).toBe(sha);
  const tokenId = github.tokens()[0]?.id;
  const uses = github.gitUses().filter(({ step, status }) => step === 'transfer' && status === 200);
  const named = new Set(uses.map((use) => `${use.tokenId} ${use.repository} ${use.service}`));
  expect([...named]).toEqual([
    `${tokenId} acme/shop git-upload-pack`,
    `${tokenId} acme/shop git-receive-pack`,
  ]);
  expect(JSON.stringify(github.gitUses())).not.toContain(text);
});

test('git needs the permission, the repository and a valid token', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, { repositories: ['shop'], permissions: { contents: 'read' } });
  const issues = await scopedToken(github, { repositories: ['shop'], permissions: { issues: 'write' } });
  const path = await folder();
  const lists = (token: string, name?: string) => git(path, 'ls-remote', address(github.url, token, name));
  expect((await lists(text)).exitCode).toBe(0);
  expect((await lists(text, 'acme/till')).text).toContain('not found');
  expect((await lists(issues.text)).text).toContain('403');
  expect((await lists('ghs_wrong')).text).toContain('Authentication failed');
  expect((await git(path, 'ls-remote', `${github.url}/acme/shop.git`)).exitCode).not.toBe(0);
  const clone = join(path, 'clone');
  await git(path, 'clone', '--quiet', address(github.url, text), clone);
  expect((await git(clone, 'push', 'origin', 'HEAD:refs/heads/fix')).text).toContain('403');
});

test('a push without the permission workflows cannot change a workflow', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, { repositories: ['shop'], permissions: { contents: 'write' } });
  await github.as('bob').push('acme/shop', 'ci', { '.github/workflows/ci.yml': 'on: push\n' });
  const clone = join(await folder(), 'clone');
  await git(tmpdir(), 'clone', '--quiet', '--branch', 'ci', address(github.url, text), clone);
  // A new branch with an old workflow is no change of a workflow.
  expect((await git(clone, 'push', 'origin', 'HEAD:refs/heads/other')).exitCode).toBe(0);
  await writeFile(join(clone, '.github/workflows/ci.yml'), 'on: pull_request\n');
  await git(clone, 'commit', '--quiet', '-am', 'Change it');
  const refused = await git(clone, 'push', 'origin', 'ci');
  expect(refused.text).toContain('without `workflows` permission');
  expect((await git(clone, 'push', 'origin', 'HEAD:refs/pull/1/head')).exitCode).not.toBe(0);
  github
    .repository('acme/shop')
    .protectedBranches.set('main', { requiredChecks: [], requiresPullRequest: true });
  expect((await git(clone, 'push', '--force', 'origin', 'HEAD~1:main')).text).toContain('GH006');
});

test('a push whose answer is lost has moved the branch', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, { repositories: ['shop'], permissions: { contents: 'write' } });
  const clone = join(await folder(), 'clone');
  await git(tmpdir(), 'clone', '--quiet', address(github.url, text), clone);
  const push = () => git(clone, 'push', 'origin', 'HEAD:refs/heads/fix');
  const octokit = await installationClient(github);
  const branch = () =>
    statusOf(octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...shop, branch: 'fix' }));
  // Git sends a request again by itself if the connection was in use before.
  github.plan('POST /acme/shop.git/git-receive-pack', { drop: 'before' }, 5);
  expect([(await push()).exitCode === 0, await branch()]).toEqual([false, 404]);
  github.clearFaults();
  github.plan('POST /acme/shop.git/git-receive-pack', { drop: 'after' }, 5);
  expect([(await push()).exitCode === 0, await branch()]).toEqual([false, 0]);
  github.clearFaults();
  expect((await push()).text).toContain('up-to-date');
});

test('git follows a renamed repository', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, { repositories: ['shop'], permissions: { contents: 'read' } });
  github.as('ada').rename('acme/shop', 'store');
  const listed = await git(await folder(), 'ls-remote', address(github.url, text));
  expect(listed.text).toContain('refs/heads/main');
});
