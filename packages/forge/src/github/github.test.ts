/** The client against a fake GitHub, over real HTTP. */
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from '@fettle/fake-github';
import { createLog } from '@fettle/log';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toForgeError } from './errors.ts';
import { type Github, openGithub } from './open-github.ts';
import { paramsOf } from './pull-request.ts';
import type { GithubCredentials } from './settings.ts';

const silent = createLog('test', 'silent', (text) => text);

async function open(
  options: FakeGithubOptions = {},
  personal?: (fake: FakeGithub) => GithubCredentials,
): Promise<{ fake: FakeGithub; github: Github }> {
  const fake = await startFakeGithub({
    repositories: [
      { name: 'acme/shop', files: { 'a.txt': 'a\n' }, roles: { ada: 'write' } },
      { name: 'acme/other', files: { 'a.txt': 'a\n' } },
    ],
    ...(personal === undefined && { app: { name: 'Fettle', installedFor: ['acme'] } }),
    ...options,
  });
  const { app } = fake;
  const ofApp = { kind: 'app' as const, appId: String(app?.app.id), privateKey: app?.privateKey ?? '' };
  const credentials = personal?.(fake) ?? ofApp;
  const github = openGithub({ credentials, apiUrl: fake.apiUrl, url: fake.url, log: silent, pacing: false });
  onTestFinished(async () => {
    await github.close();
    await fake.close();
  });
  return { fake, github };
}

const live = (fake: FakeGithub) =>
  fake.tokens().filter(({ isRevoked, kind }) => !isRevoked && kind === 'installation');
const callsOf = (fake: FakeGithub, method: string, end: string) =>
  fake.requests().filter((each) => each.method === method && each.path.endsWith(end));
const find = (github: Github) => github.findRepository('acme/shop');
const place = paramsOf('acme/shop');
const newIssue = { ...place, title: 'x' };

describe('an App', () => {
  test('finds a repository by its name, and revokes the token of the search', async () => {
    const { fake, github } = await open();
    expect(await find(github)).toEqual({
      githubId: fake.repository('acme/shop').id,
      ...{ name: 'acme/shop', url: `${fake.url}/acme/shop.git`, defaultBranch: 'main' },
      installationId: fake.installations()[0]?.id,
    });
    expect(await github.botLogin()).toBe('fettle[bot]');
    expect((await github.syncInstallations()).map(({ name }) => name)).toEqual(['acme/shop', 'acme/other']);
    expect(live(fake)).toEqual([]);
  });

  test('gives each operation a token of its own, and revokes only those of an operation that ended', async () => {
    const { fake, github } = await open();
    const repository = await find(github);
    const mint = (operationId: string) => github.mintWorkerToken(repository, { operationId });
    const [first, again, second] = [await mint('op_1'), await mint('op_1'), await mint('op_2')];
    expect([first === again, first === second]).toEqual([true, false]);
    expect(live(fake).map(({ permissions, repositoryIds }) => [permissions, repositoryIds])).toEqual(
      [1, 2].map(() => [{ metadata: 'read', contents: 'write' }, new Set([repository.githubId])]),
    );
    await github.endOperation('op_1');
    expect(live(fake)).toHaveLength(1);
    await github.close();
    expect(live(fake)).toEqual([]);
  });

  test('renews a token that the host refused, once for all who used it', async () => {
    const { github } = await open();
    const repository = await find(github);
    const refused = await github.mintWorkerToken(repository, { operationId: 'op_1' });
    const renewed = await Promise.all(
      [1, 2, 3].map(() => github.mintWorkerToken(repository, { operationId: 'op_1', refused })),
    );
    expect(renewed[0]).not.toBe(refused);
    expect(new Set(renewed).size).toBe(1);
  });

  test('sends a request again with a new token if GitHub refuses the first', async () => {
    const { fake, github } = await open();
    const octokit = github.octokitFor(await find(github));
    await octokit.request('GET /repos/{owner}/{repo}', place);
    for (const { id } of live(fake)) fake.revokeToken(id);
    expect((await octokit.request('POST /repos/{owner}/{repo}/issues', newIssue)).status).toBe(201);
  });

  test('does without optional permissions, and says which required one is missing', async () => {
    const { fake, github } = await open();
    const repository = await find(github);
    const [installation] = fake.installations();
    if (!installation) throw new Error('the App is installed');
    const { checks: _checks, ...fewer } = installation.permissions;
    fake.changePermissions(installation, fewer);
    const octokit = github.octokitFor(repository, { operationId: 'op_1' });
    expect((await octokit.request('GET /repos/{owner}/{repo}/pulls', place)).status).toBe(200);
    expect((await github.status()).installations).toMatchObject([{ missingPermissions: ['checks:write'] }]);
    fake.changePermissions(installation, { ...fewer, contents: 'read' });
    await expect(github.mintWorkerToken(repository, { operationId: 'op_2' })).rejects.toMatchObject({
      code: 'forge_refused',
      message: expect.stringMatching(
        /^The App lacks the permission contents:write for acme\. Accept it at http/,
      ),
    });
  });

  test('is refused with the reason when its installation is suspended or removed', async () => {
    const { fake, github } = await open();
    const repository = await find(github);
    const [installation] = fake.installations();
    if (!installation) throw new Error('the App is installed');
    const mint = () => github.mintWorkerToken(repository, { operationId: 'op_1' });
    fake.suspend(installation);
    await expect(mint()).rejects.toMatchObject({
      ...{ code: 'forge_refused', message: expect.stringContaining('suspended') },
    });
    fake.uninstall(installation);
    await expect(mint()).rejects.toMatchObject({
      ...{ code: 'forge_refused', message: expect.stringContaining('is not installed on acme/shop') },
    });
  });
});

describe('requests', () => {
  test('a failed read is repeated, a failed write is not', async () => {
    const { fake, github } = await open();
    const octokit = github.octokitFor(await find(github));
    fake.plan('GET /repos/acme/shop/issues', { status: 502 });
    expect((await octokit.request('GET /repos/{owner}/{repo}/issues', place)).status).toBe(200);
    fake.plan('POST /repos/acme/shop/issues', { drop: 'after' });
    const write = octokit.request('POST /repos/{owner}/{repo}/issues', newIssue);
    expect(await write.catch((error) => toForgeError(error, 'x'))).toMatchObject({
      ...{ code: 'forge_unavailable', message: 'GitHub cannot be reached' },
    });
    expect(callsOf(fake, 'POST', '/issues')).toHaveLength(1);
  });

  test.each([405, 409, 422])('status %d is not repeated', async (status) => {
    const { fake, github } = await open();
    const octokit = github.octokitFor(await find(github));
    fake.plan('GET /repos/acme/shop/issues', { status }, 10);
    await expect(octokit.request('GET /repos/{owner}/{repo}/issues', place)).rejects.toMatchObject({
      status,
    });
    expect(callsOf(fake, 'GET', '/issues')).toHaveLength(1);
  });

  test('after a rate limit nothing is sent until it ends', async () => {
    const { fake, github } = await open();
    const octokit = github.octokitFor(await find(github));
    fake.plan('GET /repos/acme/shop/issues', { secondaryRateLimit: { retryAfterSeconds: 60 } });
    const read = async () =>
      octokit
        .request('GET /repos/{owner}/{repo}/issues', place)
        .catch((error) => toForgeError(error, 'x') as { code: string; afterMs: number });
    for (const _each of [1, 2, 3]) expect(await read()).toMatchObject({ code: 'forge_unavailable' });
    expect(callsOf(fake, 'GET', '/issues')).toHaveLength(1);
  });
});

describe('the token of a user', () => {
  const personal = (fake: FakeGithub): GithubCredentials => ({
    ...{ kind: 'token', repositories: ['acme/shop'] },
    token: fake.createToken('ada', { scopes: ['repo'] }),
  });

  test('serves only listed repositories', async () => {
    const { github } = await open({}, personal);
    expect(await find(github)).toMatchObject({ name: 'acme/shop', installationId: undefined });
    expect(await github.botLogin()).toBe('ada');
    await expect(github.findRepository('acme/other')).rejects.toMatchObject({
      ...{ code: 'repository_not_found', message: expect.stringContaining('GITHUB_REPOSITORIES') },
    });
    expect((await github.status()).notes.join('\n')).toContain('a classic token with the scopes repo');
  });
});
