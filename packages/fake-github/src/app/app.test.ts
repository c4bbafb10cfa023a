import { createSign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  appOf,
  installationClient,
  scopedToken,
  shop,
  startValidated,
  statusOf,
  tokenClient,
} from '../testing/start.ts';

describe('the JWT of an App', () => {
  const now = () => Math.floor(Date.now() / 1000);
  test.each([
    ['a valid one', {}, 200],
    ['an expired one', { exp: now() - 5, iat: now() - 100 }, 401],
    ['one that is valid for an hour', { exp: now() + 3600 }, 401],
    ['one from the future', { iat: now() + 400, exp: now() + 500 }, 401],
    ['one of an unknown App', { iss: 42 }, 401],
  ])('%s', async (_name, claims, status) => {
    const github = await startValidated();
    const jwt = sign(github.app?.privateKey ?? '', {
      iss: github.app?.app.id,
      iat: now() - 30,
      exp: now() + 500,
      ...claims,
    });
    const response = await fetch(`${github.apiUrl}/app`, { headers: { authorization: `Bearer ${jwt}` } });
    expect(response.status).toBe(status);
  });

  test('with a signature of another key', async () => {
    const [github, other] = [await startValidated(), await startValidated()];
    const jwt = sign(other.app?.privateKey ?? '', { iss: github.app?.app.id, iat: now(), exp: now() + 500 });
    const response = await fetch(`${github.apiUrl}/app`, { headers: { authorization: `Bearer ${jwt}` } });
    expect(response.status).toBe(401);
  });
});

test('an App finds its installations', async () => {
  const github = await startValidated();
  const { octokit } = appOf(github);
  const [installation] = (await octokit.request('GET /app/installations')).data;
  expect((await octokit.request('GET /app')).data).toMatchObject({ slug: 'fettle', installations_count: 1 });
  const byRepository = await octokit.request('GET /repos/{owner}/{repo}/installation', shop);
  expect(byRepository.data.id).toBe(installation?.id);
  const one = await octokit.request('GET /app/installations/{installation_id}', {
    installation_id: installation?.id ?? 0,
  });
  expect(one.data.account).toMatchObject({ login: 'acme' });
  expect(await statusOf(octokit.request('GET /users/{username}/installation', { username: 'bob' }))).toBe(
    404,
  );
});

test('a token is limited to its repositories and permissions', async () => {
  const github = await startValidated();
  const { octokit } = await scopedToken(github, { repositories: ['shop'], permissions: { issues: 'read' } });
  const issue = github.as('ada').openIssue('acme/shop', { title: 'Broken' });
  const one = { ...shop, issue_number: issue.number };
  expect((await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}', one)).status).toBe(200);
  expect(
    await statusOf(
      octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...one, body: 'x' }),
    ),
  ).toBe(403);
  expect(
    await statusOf(
      octokit.request('GET /repos/{owner}/{repo}/contents/{path}', { ...shop, path: 'README.md' }),
    ),
  ).toBe(403);
  expect(await statusOf(octokit.request('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'till' }))).toBe(
    404,
  );
  const { data } = await octokit.request('GET /installation/repositories');
  expect(data.repositories.map(({ full_name }) => full_name)).toEqual(['acme/shop']);
});

test('a client follows a clock that a test has moved', async () => {
  const github = await startValidated();
  github.advanceClock(2 * 3_600_000);
  const octokit = await installationClient(github);
  expect(await statusOf(octokit.request('GET /repos/{owner}/{repo}', shop))).toBe(0);
});

test('a failed start leaves nothing behind', async () => {
  const app = { name: 'Fettle', installedFor: ['nobody'] };
  await expect(startValidated({ app })).rejects.toThrow('there is no account nobody');
});

test('a token cannot get more than the installation has', async () => {
  const github = await startValidated();
  expect(await statusOf(scopedToken(github, { permissions: { workflows: 'write' } }))).toBe(422);
  expect(await statusOf(scopedToken(github, { repositories: ['unknown'] }))).toBe(422);
});

test('a token expires, and can be revoked by its owner or by a test', async () => {
  const github = await startValidated();
  const read = { repositories: ['shop'], permissions: { metadata: 'read' } } as const;
  const [a, b, c, d] = await Promise.all(
    [1, 2, 3, 4].map(() => scopedToken(github, { ...read, repositories: ['shop'] })),
  );
  if (!a || !b || !c || !d) throw new Error('no tokens');
  const works = ({ octokit }: typeof a) => statusOf(octokit.request('GET /repos/{owner}/{repo}', shop));
  expect(await Promise.all([a, b, c, d].map(works))).toEqual([0, 0, 0, 0]);
  await a.octokit.request('DELETE /installation/token');
  const ids = github
    .requests()
    .filter(({ method }) => method === 'DELETE')
    .map(({ tokenId }) => tokenId);
  const others = github.tokens().filter(({ isRevoked }) => !isRevoked);
  expect(ids).toHaveLength(1);
  github.revokeToken(others[0]?.id ?? 0);
  github.expireToken(others[1]?.id ?? 0);
  expect((await Promise.all([a, b, c, d].map(works))).sort()).toEqual([0, 401, 401, 401]);
  github.advanceClock(3_600_001);
  expect(await Promise.all([a, b, c, d].map(works))).toEqual([401, 401, 401, 401]);
});

test('a suspended, reduced or deleted installation', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const [installation] = github.installations();
  if (!installation) throw new Error('no installation');
  const read = () => statusOf(octokit.request('GET /repos/{owner}/{repo}/issues', shop));
  expect(await read()).toBe(0);
  github.suspend(installation);
  expect(await read()).toBe(403);
  github.unsuspend(installation);
  github.changePermissions(installation, { contents: 'read' });
  expect(await read()).toBe(403);
  github.changePermissions(installation, { issues: 'read' });
  github.removeRepositories(installation, ['acme/shop']);
  expect(await read()).toBe(404);
  github.addRepositories(installation, ['acme/shop']);
  expect(await read()).toBe(0);
  github.uninstall(installation);
  expect(await read()).toBe(401);
});

test('personal tokens act as their owner', async () => {
  const github = await startValidated();
  const classic = tokenClient(github, github.createToken('bob', { scopes: ['repo'] }));
  const user = await classic.request('GET /user');
  expect(user.data.login).toBe('bob');
  expect(user.headers['x-oauth-scopes']).toBe('repo');
  expect((await classic.request('GET /user/repos')).data.map(({ name }) => name)).toEqual(['shop']);
  const grant = { permissions: { issues: 'write' } as const, repositories: ['acme/shop'] };
  const fine = tokenClient(github, github.createToken('bob', grant));
  const opened = await fine.request('POST /repos/{owner}/{repo}/issues', { ...shop, title: 'Mine' });
  expect(opened.data).toMatchObject({ user: { login: 'bob' }, performed_via_github_app: null });
  expect(await statusOf(fine.request('GET /repos/{owner}/{repo}/pulls', shop))).toBe(403);
  const check = { ...shop, name: 'x', head_sha: '0'.repeat(40) };
  expect(await statusOf(classic.request('POST /repos/{owner}/{repo}/check-runs', check))).toBe(403);
  // Eve has no role in the private repository.
  const eve = tokenClient(github, github.createToken('eve', { scopes: ['repo'] }));
  expect(await statusOf(eve.request('GET /repos/{owner}/{repo}', shop))).toBe(404);
});

test('the manifest flow creates an App whose key works', async () => {
  const github = await startValidated();
  const manifest = {
    name: 'My Fettle',
    url: 'https://example.com',
    redirect_url: 'http://127.0.0.1:9/callback',
    hook_attributes: { url: 'https://example.com/hook' },
    default_permissions: { issues: 'write' },
    default_events: ['issues'],
  };
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${github.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const confirm = await form('/settings/apps/new?state=abc', { manifest: JSON.stringify(manifest) });
  expect(await confirm.text()).toContain('Create GitHub App for ada');
  const done = await form('/settings/apps/create', {
    manifest: JSON.stringify(manifest),
    state: 'abc',
    owner: 'ada',
  });
  const target = new URL(done.headers.get('location') ?? '');
  expect(target.searchParams.get('state')).toBe('abc');
  const convert = () =>
    fetch(`${github.apiUrl}/app-manifests/${target.searchParams.get('code')}/conversions`, {
      method: 'POST',
    });
  const answer = await convert();
  const created = (await answer.json()) as { slug: string; events: string[]; pem: string; client_id: string };
  expect([answer.status, created.slug, created.events]).toEqual([201, 'my-fettle', ['issues']]);
  expect((await convert()).status).toBe(404);
  const jwt = sign(created.pem, {
    iss: created.client_id,
    iat: Date.now() / 1000,
    exp: Date.now() / 1000 + 300,
  });
  const app = await fetch(`${github.apiUrl}/app`, { headers: { authorization: `Bearer ${jwt}` } });
  expect(app.status).toBe(200);
  expect(github.requests().map(({ path }) => path)).toContain('/app-manifests/{code}/conversions');
});

function sign(key: string, claims: Record<string, unknown>): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}
