import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('pull requests: create once, list by head, update, files, commits, reviewers', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const sha = await github
    .as('bob')
    .push('acme/shop', 'fettle/op-1', { 'README.md': 'one\n2\nthree\n', 'new.txt': 'x\n' });
  const content = { ...shop, title: 'Fix', head: 'fettle/op-1', base: 'main', draft: true };
  const opened = await octokit.request('POST /repos/{owner}/{repo}/pulls', content);
  const pull = { ...shop, pull_number: opened.data.number };
  expect(opened.data).toMatchObject({
    draft: true,
    commits: 1,
    additions: 2,
    deletions: 1,
    changed_files: 2,
    head: { sha },
  });
  expect(await statusOf(octokit.request('POST /repos/{owner}/{repo}/pulls', content))).toBe(422);
  expect(
    await statusOf(octokit.request('POST /repos/{owner}/{repo}/pulls', { ...content, head: 'nothing' })),
  ).toBe(422);
  expect(
    await statusOf(octokit.request('POST /repos/{owner}/{repo}/pulls', { ...content, head: 'main' })),
  ).toBe(422);
  const list = async (head: string) =>
    (await octokit.request('GET /repos/{owner}/{repo}/pulls', { ...shop, head })).data.length;
  expect([await list('acme:fettle/op-1'), await list('acme:other')]).toEqual([1, 0]);
  const patched = await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...pull,
    title: 'Fix it',
    body: 'Why',
  });
  expect(patched.data).toMatchObject({ title: 'Fix it', body: 'Why', mergeable_state: 'draft' });
  const files = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', pull);
  expect(files.data.map(({ filename, status, patch }) => [filename, status, patch])).toEqual([
    ['README.md', 'modified', '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three'],
    ['new.txt', 'added', '@@ -0,0 +1 @@\n+x'],
  ]);
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', pull)).data,
  ).toHaveLength(1);
  const ask = (reviewers: string[]) =>
    octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
      ...pull,
      reviewers,
    });
  expect((await ask(['ada'])).data.requested_reviewers).toMatchObject([{ login: 'ada' }]);
  expect(await statusOf(ask(['eve']))).toBe(422);
  await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', pull);
  await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, state: 'closed' });
  await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, state: 'open' });
  await github.as('bob').deleteBranch('acme/shop', 'fettle/op-1');
  const gone = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', pull);
  expect(gone.data).toMatchObject({ state: 'closed', merged: false, head: { sha } });
  expect(
    await statusOf(
      octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...pull, state: 'open' }),
    ),
  ).toBe(422);
});

test('two requests at the same time open one pull request', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  await github.as('bob').push('acme/shop', 'fix', { a: 'a' });
  const open = () =>
    statusOf(
      octokit.request('POST /repos/{owner}/{repo}/pulls', { ...shop, title: 'x', head: 'fix', base: 'main' }),
    );
  expect((await Promise.all([open(), open(), open()])).sort()).toEqual([0, 422, 422]);
});

test('a pull request from a fork shows the fork as its head', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  const fork = await bob.fork('acme/shop');
  await bob.push(fork, 'idea', { 'idea.txt': 'x\n' });
  const { number } = await bob.openPullRequest('acme/shop', {
    title: 'Idea',
    head: 'bob:idea',
    base: 'main',
  });
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...shop,
    pull_number: number,
  });
  expect(data).toMatchObject({
    head: { label: 'bob:idea', repo: { full_name: 'bob/shop', fork: true } },
    base: { repo: { full_name: 'acme/shop' } },
  });
});

test('a push moves the head, and a push of other history leaves it unmergeable', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  await bob.push('acme/shop', 'fix', { a: 'a\n' });
  const { number } = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  const get = async () =>
    (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...shop, pull_number: number }))
      .data;
  const pushed = await Promise.all([1, 2, 3].map((n) => bob.push('acme/shop', 'fix', { [`${n}`]: 'x\n' })));
  expect(pushed).toContain((await get()).head.sha);
  expect(await get()).toMatchObject({ commits: 4, mergeable: true });
  const sha = await bob.push('acme/shop', 'fix', { a: 'new\n' }, { from: 'none', force: true });
  expect(await get()).toMatchObject({ head: { sha }, commits: 0, mergeable: false });
});
