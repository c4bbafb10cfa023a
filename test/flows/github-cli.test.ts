/** GitHub from the command line: a token for one user, or an App that `fettle github setup` creates. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeGithub } from '@fettle/fake-github';
import { conversation, say, startRehearsal, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { startFettle } from '../../packages/cli/src/testing/run-fettle.ts';
import { atEnd, openFolder } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { runFettle } from '../support/run-fettle.ts';

const fake = await startFakeGithub({
  repositories: [{ name: 'acme/shop', files: brokenSum, roles: { ada: 'admin' } }],
});
atEnd(fake.close);
const rehearsal = await startRehearsal({
  conversations: [conversation('repair', [repairSum, turn(say('Add up'))])],
  onFailure() {},
});
atEnd(rehearsal.close);
const home = openFolder('fettle-home');
const place = { FETTLE_HOME: home, GITHUB_URL: fake.url, GITHUB_API_URL: fake.apiUrl };

test('with a GITHUB_TOKEN, one command ends with a pull request', async () => {
  const token = fake.createToken('ada', { scopes: ['repo'] });
  const run = (settings: Record<string, string>) =>
    runFettle(
      ['run', 'fix', 'the sum is wrong', '--no-review', '--no-evidence', '--repo', 'acme/shop', '--json'],
      {
        ...{
          ...place,
          FETTLE_HOME: openFolder('fettle-home'),
          GITHUB_TOKEN: token,
          FETTLE_SANDBOX: 'process',
        },
        ...{ ANTHROPIC_API_KEY: 'rehearsal', ANTHROPIC_BASE_URL: rehearsal.url, ...settings },
      },
    );
  const refused = await run({ GITHUB_REPOSITORIES: 'acme/other' });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'GITHUB_TOKEN is not used for acme/shop, which GITHUB_REPOSITORIES does not list',
    ),
  });
  const list = { GITHUB_REPOSITORIES: 'acme/shop' };
  const { code, stdout, stderr } = await run(list);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining(token)]);
  expect(stdout).toContain(`${fake.url}/acme/shop/pull/1`);
  expect(stdout).not.toContain(token);

  // The token of gh, for a user who opts in.
  const folder = openFolder('gh');
  writeFileSync(
    join(folder, 'gh'),
    `#!/bin/sh\n[ "$1 $2 $3" = "auth token --hostname" ] && echo ${token}\n`,
    {
      mode: 0o755,
    },
  );
  const withGh = { ...list, GITHUB_TOKEN: '', GITHUB_TOKEN_FROM_GH: 'on' };
  const missing = await run(withGh);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('gh is not installed') });
  const again = await run({ ...withGh, PATH: `${folder}:${process.env.PATH}` });
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('/acme/shop/pull/2')]);
});

/** Does what a browser does with a page that contains one form. */
async function submitForm(page: Response, more: Record<string, string> = {}): Promise<Response> {
  const html = await page.text();
  const unescapeHtml = (text: string) =>
    text
      .replace(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(
    fields.map(([, name = '', value = '']) => [name, unescapeHtml(value)] as [string, string]),
  );
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return fetch(new URL(unescapeHtml(action), page.url), { method: 'POST', body });
}

test('setup creates an App, stores its key for this user only, and status shows its access', async () => {
  const { child, finished } = startFettle(['github', 'setup', '--name', 'Fettle laptop', '--json'], place);
  const first = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data))),
  );
  const { url } = JSON.parse(first.split('\n')[0] ?? '') as { url: string };
  expect((await fetch(new URL('/created?code=abc&state=wrong', url))).status).toBe(400);
  expect((await fetch(url)).headers.get('cache-control')).toBe('no-store');
  const confirm = await submitForm(await fetch(url));
  const done = await submitForm(confirm);
  expect(await done.text()).toContain('The App was created');
  const { exitCode, stdout, stderr } = await finished;
  expect([exitCode, stderr]).toEqual([0, '']);
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { url: string };
  expect(last).toMatchObject({ step: 'install', slug: 'fettle-laptop', folder: join(home, 'github') });
  expect(last.url).toMatch(/\/fettle-laptop\/installations\/new$/);
  for (const name of ['app.json', 'private-key.pem', 'webhook-secret'])
    expect(statSync(join(home, 'github', name)).mode & 0o777).toBe(0o600);

  await fetch(`${fake.url}/apps/fettle-laptop/installations/new`, {
    ...{ method: 'POST', body: new URLSearchParams({ owner: 'acme' }) },
  });
  const status = await runFettle(['github', 'status', '--json'], place);
  expect([status.code, status.stderr]).toEqual([0, '']);
  expect(JSON.parse(status.stdout)).toMatchObject({
    ...{ kind: 'app', login: 'fettle-laptop[bot]', notes: [] },
    installations: [
      { account: 'acme', isSuspended: false, missingPermissions: [], repositories: ['acme/shop'] },
    ],
  });
  const { findings } = JSON.parse((await runFettle(['doctor', '--json'], place)).stdout) as {
    findings: { name: string }[];
  };
  expect(findings.filter(({ name }) => name === 'GitHub')).toMatchObject([
    { state: 'ok', message: expect.stringMatching(/^App \d+;/) },
  ]);
});
