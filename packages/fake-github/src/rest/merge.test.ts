import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('a merge is refused for drafts, stale heads and conflicts', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  const sha = await bob.push('acme/shop', 'fix', { 'README.md': 'one\n2\nthree\n' });
  const address = await bob.openPullRequest('acme/shop', {
    title: 'Fix',
    head: 'fix',
    base: 'main',
    isDraft: true,
  });
  const pull = { ...shop, pull_number: address.number };
  const merge = (wanted: string) =>
    octokit.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', { ...pull, sha: wanted });
  expect(await statusOf(merge(sha))).toBe(405);
  bob.markReady(address);
  expect(await statusOf(merge('0'.repeat(40)))).toBe(409);
  await bob.push('acme/shop', 'main', { 'README.md': 'one\nTWO\nthree\n' });
  expect((await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', pull)).data).toMatchObject({
    mergeable: false,
    mergeable_state: 'dirty',
  });
  expect(await statusOf(merge(sha))).toBe(405);
  await bob.push('acme/shop', 'main', { 'README.md': 'one\ntwo\nthree\n' });
  const merged = await merge(sha);
  expect(merged.data.merged).toBe(true);
  expect((await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', pull)).data).toMatchObject({
    merged: true,
    state: 'closed',
    merge_commit_sha: merged.data.sha,
  });
  expect(await statusOf(merge(sha))).toBe(405);
  const main = await octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', {
    ...shop,
    branch: 'main',
  });
  expect(main.data.commit.sha).toBe(merged.data.sha);
});

test.each(['squash', 'rebase'] as const)('a merge by %s leaves a straight history', async (merge_method) => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  await bob.push('acme/shop', 'fix', { a: 'a\n' });
  await bob.push('acme/shop', 'fix', { b: 'b\n' });
  await bob.push('acme/shop', 'main', { c: 'c\n' });
  const { number } = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  await octokit.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
    ...shop,
    pull_number: number,
    merge_method,
  });
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits', shop);
  expect(data.map(({ parents }) => parents.length)).toEqual(
    merge_method === 'squash' ? [1, 1, 0] : [1, 1, 1, 0],
  );
});

test('update-branch merges the base into the head', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  await bob.push('acme/shop', 'fix', { a: 'a\n' });
  await bob.push('acme/shop', 'main', { b: 'b\n' });
  const { number } = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  const update = (expected_head_sha?: string) =>
    octokit.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch', {
      ...shop,
      pull_number: number,
      ...(expected_head_sha && { expected_head_sha }),
    });
  expect(await statusOf(update('0'.repeat(40)))).toBe(422);
  expect((await update()).status).toBe(202);
  const compared = await octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
    ...shop,
    basehead: 'main...fix',
  });
  expect(compared.data).toMatchObject({ status: 'ahead', ahead_by: 2, behind_by: 0 });
});
