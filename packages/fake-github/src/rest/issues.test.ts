import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('issues: comments, reactions, labels and assignees', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const address = github
    .as('bob')
    .openIssue('acme/shop', { title: 'Broken', body: 'It fails', labels: ['bug'] });
  const issue = { ...shop, issue_number: address.number };
  github.as('bob').comment(address, '/fix it');
  const made = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...issue,
    body: 'On it',
  });
  const comment = { ...shop, comment_id: made.data.id };
  expect(made.data).toMatchObject({
    user: { login: 'fettle[bot]', type: 'Bot' },
    performed_via_github_app: { slug: 'fettle' },
  });
  await octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    ...comment,
    body: 'Done',
  });
  const react = () =>
    octokit.request('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
      ...comment,
      content: 'eyes',
    });
  expect([(await react()).status, (await react()).status]).toEqual([201, 200]);
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/reactions', {
    ...issue,
    content: '+1',
  });
  const all = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', issue);
  expect(all.data.map(({ body }) => body)).toEqual(['/fix it', 'Done']);
  await octokit.request('GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', comment);
  await octokit.request('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', comment);
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    ...issue,
    labels: ['fettle'],
  });
  await octokit.request('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}', {
    ...issue,
    name: 'bug',
  });
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/assignees', {
    ...issue,
    assignees: ['ada', 'eve'],
  });
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}', issue);
  expect(data).toMatchObject({
    comments: 2,
    labels: [{ name: 'fettle' }],
    assignees: [{ login: 'ada' }],
    reactions: { '+1': 1 },
  });
  await octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...issue, state: 'closed' });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/issues', { ...shop, state: 'all' })).data,
  ).toHaveLength(1);
  await octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', comment);
  expect(
    await statusOf(octokit.request('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', comment)),
  ).toBe(404);
  expect(
    await statusOf(
      octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...issue, body: '' }),
    ),
  ).toBe(422);
});

test('the permission of people', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const ask = async (username: string) =>
    (
      await octokit.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
        ...shop,
        username,
      })
    ).data;
  github.as('ada').setRole('acme/shop', 'eve', 'triage');
  expect([(await ask('ada')).permission, (await ask('bob')).permission]).toEqual(['admin', 'write']);
  expect(await ask('eve')).toMatchObject({ permission: 'read', role_name: 'triage' });
  github.as('ada').setRole('acme/shop', 'eve', undefined);
  expect((await ask('eve')).permission).toBe('none');
});
