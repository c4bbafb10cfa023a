import { expect, test } from 'vitest';
import { startValidated } from '../testing/start.ts';

test('the page of a pull request shows what happened and runs nothing', async () => {
  const github = await startValidated();
  const [ada, bob] = [github.as('ada'), github.as('bob')];
  await bob.push('acme/shop', 'fix', { 'README.md': 'one\n2 <b>\nthree\n' });
  const body = '**Why** <script>alert(1)</script> [x](javascript:alert(1)) <!-- fettle:op_1 -->';
  const pull = await bob.openPullRequest('acme/shop', { title: 'Fix <i>', body, head: 'fix', base: 'main' });
  ada.comment(pull, 'A `comment`');
  await ada.review(pull, {
    event: 'REQUEST_CHANGES',
    body: 'Not yet',
    comments: [{ path: 'README.md', line: 2, body: 'Why two?' }],
  });
  await bob.completeCheck('acme/shop', {
    on: 'fix',
    name: 'test',
    conclusion: 'failure',
    summary: 'It **failed**',
  });
  const response = await fetch(`${github.url}/acme/shop/pull/${pull.number}`);
  const page = await response.text();
  for (const text of [
    'Fix &lt;i&gt;',
    '<strong>Why</strong> &lt;script&gt;',
    '<code>comment</code>',
    'review: changes requested',
    'Why two?',
    'GitHub Actions / test',
    '<strong>failed</strong>',
    '+2 &lt;b&gt;',
  ])
    expect(page).toContain(text);
  expect(page).not.toMatch(/<script|href="javascript|fettle:op_1/);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const list = await (await fetch(`${github.url}/acme/shop`)).text();
  expect(list).toContain(`/acme/shop/pull/${pull.number}`);
  expect((await fetch(`${github.url}/acme/nothing`)).status).toBe(404);
});
