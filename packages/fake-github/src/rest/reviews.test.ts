import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('reviews, comments on lines, replies, and comments that a push makes outdated', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const [ada, bob] = [github.as('ada'), github.as('bob')];
  await bob.push('acme/shop', 'fix', { 'README.md': 'one\n2\nthree\n' });
  const address = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  const pull = { ...shop, pull_number: address.number };
  const review = await ada.review(address, {
    event: 'REQUEST_CHANGES',
    body: 'Not yet',
    comments: [{ path: 'README.md', line: 2, body: 'A word, please' }],
  });
  await expect(bob.review(address, { event: 'APPROVE' })).rejects.toMatchObject({ status: 422 });
  await expect(
    ada.review(address, { event: 'COMMENT', comments: [{ path: 'README.md', line: 99, body: 'x' }] }),
  ).rejects.toMatchObject({ status: 422 });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', pull)).data,
  ).toMatchObject([{ state: 'CHANGES_REQUESTED', user: { login: 'ada' } }]);
  await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}', {
    ...pull,
    review_id: review.id,
  });
  await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments', {
    ...pull,
    review_id: review.id,
  });
  const [first] = (await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', pull))
    .data;
  expect(first).toMatchObject({ line: 2, diff_hunk: '@@ -1,3 +1,3 @@\n one\n-two\n+2' });
  const reply = await octokit.request(
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
    { ...pull, comment_id: first?.id ?? 0, body: 'Done' },
  );
  expect(reply.data.in_reply_to_id).toBe(first?.id);
  const again = octokit.request(
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
    { ...pull, comment_id: reply.data.id, body: 'x' },
  );
  expect(await statusOf(again)).toBe(422);
  await octokit.request('POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', {
    ...shop,
    comment_id: first?.id ?? 0,
    content: 'eyes',
  });
  await octokit.request('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
    ...shop,
    comment_id: reply.data.id,
    body: 'Done.',
  });
  await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
    ...pull,
    event: 'COMMENT',
    body: 'Looked',
  });
  const comment = { ...pull, commit_id: reply.data.commit_id, path: 'README.md', line: 1, body: 'And here' };
  await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', comment);
  await octokit.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals', {
    ...pull,
    review_id: review.id,
    message: 'old',
  });
  // A push that keeps the line does not make its comment outdated.
  await bob.push('acme/shop', 'fix', { 'other.txt': 'x\n' });
  expect(
    github
      .repository('acme/shop')
      .issues.get(address.number)
      ?.pull?.comments.map(({ isOutdated }) => isOutdated),
  ).toEqual([false, false, false]);
  await bob.push('acme/shop', 'fix', { 'README.md': 'one\ntwo words\nthree\n' });
  const lines = github
    .repository('acme/shop')
    .issues.get(address.number)
    ?.pull?.comments.map(({ isOutdated }) => isOutdated);
  expect(lines).toEqual([true, true, false]);
});
