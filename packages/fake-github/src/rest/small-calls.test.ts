/** Calls that the other tests do not make, so that every answer is compared with its schema. */
import { expect, test } from 'vitest';
import { appOf, installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('issues', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const ada = github.as('ada');
  const address = ada.openIssue('acme/shop', { title: 'Broken', labels: ['a'] });
  const comment = ada.comment(address, 'Hi');
  const issue = { ...shop, issue_number: address.number };
  const labels = await octokit.request('PUT /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    ...issue,
    labels: ['b'],
  });
  expect(labels.data.map(({ name }) => name)).toEqual(['b']);
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/labels', issue)).data,
  ).toHaveLength(1);
  expect((await octokit.request('GET /repos/{owner}/{repo}/labels', shop)).data).toHaveLength(2);
  ada.assign(address, 'bob');
  const without = await octokit.request('DELETE /repos/{owner}/{repo}/issues/{issue_number}/assignees', {
    ...issue,
    assignees: ['bob'],
  });
  expect(without.data.assignees).toEqual([]);
  ada.assign(address, 'bob');
  ada.unassign(address, 'bob');
  ada.editIssue(address, { title: 'Very broken' });
  expect((await octokit.request('GET /repos/{owner}/{repo}/issues/comments', shop)).data).toHaveLength(1);
  const on = { ...shop, comment_id: comment.id };
  const reaction = await octokit.request(
    'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    { ...on, content: 'eyes' },
  );
  const unreact = () =>
    octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}', {
      ...on,
      reaction_id: reaction.data.id,
    });
  expect([(await unreact()).status, await statusOf(unreact())]).toEqual([204, 404]);
  const other = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/reactions', {
    ...issue,
    content: 'heart',
  });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/reactions', issue)).data,
  ).toHaveLength(1);
  await octokit.request('DELETE /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}', {
    ...issue,
    reaction_id: other.data.id,
  });
  expect((await octokit.request('GET /users/{username}', { username: 'ada' })).data.login).toBe('ada');
});

test('pull requests and their comments', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const [ada, bob] = [github.as('ada'), github.as('bob')];
  const sha = await bob.push('acme/shop', 'fix', { 'README.md': 'one\n2\nthree\n' });
  const address = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  const pull = { ...shop, pull_number: address.number };
  ada.assign(address, 'bob');
  ada.unassign(address, 'bob');
  await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    ...pull,
    reviewers: ['ada'],
  });
  await octokit.request('DELETE /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
    ...pull,
    reviewers: ['ada'],
  });
  const found = await octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    ...shop,
    commit_sha: sha,
  });
  expect(found.data.map(({ number }) => number)).toEqual([address.number]);
  const line = { path: 'README.md', line: 2, body: 'Why?' };
  const pending = await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
    ...pull,
    comments: [line],
  });
  expect([
    pending.data.state,
    (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', pull)).data,
  ]).toEqual(['PENDING', []]);
  const submit = await octokit.request(
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events',
    { ...pull, review_id: Number(pending.data.id), event: 'COMMENT' },
  );
  expect(submit.data.state).toBe('COMMENTED');
  const [comment] = (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', pull))
    .data;
  const on = { ...shop, comment_id: Number(comment?.id) };
  expect((await octokit.request('GET /repos/{owner}/{repo}/pulls/comments/{comment_id}', on)).data.body).toBe(
    'Why?',
  );
  const reaction = await octokit.request('POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', {
    ...on,
    content: 'rocket',
  });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', on)).data,
  ).toHaveLength(1);
  await octokit.request('DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions/{reaction_id}', {
    ...on,
    reaction_id: reaction.data.id,
  });
  await octokit.request('DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}', on);
  const isMerged = () =>
    statusOf(octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/merge', pull));
  expect(await isMerged()).toBe(404);
  await ada.merge(address, { method: 'squash' });
  expect(await isMerged()).toBe(0);
});

test('refs, checks and installations', async () => {
  const permissions = { contents: 'write', checks: 'write', actions: 'write', statuses: 'write' } as const;
  const events = ['check_run', 'check_suite', 'repository', 'status'];
  const installedFor = ['acme', 'other', 'ada'];
  const github = await startValidated({ app: { name: 'Fettle', installedFor, permissions, events } });
  const [installation] = github.installations();
  if (!installation) throw new Error('no installation');
  const octokit = await installationClient(github);
  const [ada, bob] = [github.as('ada'), github.as('bob')];
  const first = await bob.push('acme/shop', 'fix', { a: '1\n' });
  const second = await bob.push('acme/shop', 'fix', { a: '2\n' });
  const back = { ...shop, ref: 'heads/fix', sha: first };
  expect(await statusOf(octokit.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', back))).toBe(422);
  const forced = await octokit.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
    ...back,
    force: true,
  });
  expect(forced.data.object.sha).toBe(first);
  expect(
    (await octokit.request('POST /repos/{owner}/{repo}/check-suites', { ...shop, head_sha: second })).status,
  ).toBe(200);
  const actions = [{ label: 'Fix', description: 'Fix it', identifier: 'fix' }];
  const run = await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
    ...shop,
    name: 'fettle',
    head_sha: first,
    actions,
  });
  await octokit.request('POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest', {
    ...shop,
    check_run_id: run.data.id,
  });
  ada.rerequestCheck('acme/shop', Number(run.data.id));
  ada.requestAction('acme/shop', Number(run.data.id), 'fix');
  const job = await bob.completeCheck('acme/shop', { on: first, name: 'test', conclusion: 'failure' });
  await octokit.request('POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun', {
    ...shop,
    job_id: job.id,
  });
  await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...shop,
    sha: first,
    state: 'success',
  });
  const { octokit: app } = appOf(github);
  expect((await app.request('GET /orgs/{org}/installation', { org: 'acme' })).data.id).toBe(installation.id);
  const own = await app.request('GET /users/{username}/installation', { username: 'ada' });
  expect(own.data.account).toMatchObject({ login: 'ada' });
  ada.transfer('acme/shop', 'other');
  await app.request('DELETE /app/installations/{installation_id}', { installation_id: installation.id });
  expect(await statusOf(app.request('GET /orgs/{org}/installation', { org: 'acme' }))).toBe(404);
});
