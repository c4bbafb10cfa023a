import { expect, test } from 'vitest';
import { appOf, installationClient, secret, shop, startReceiver, startValidated } from '../testing/start.ts';

const hook = (url: string) => ({ app: { name: 'Fettle', installedFor: ['acme'], hook: { url, secret } } });

test('every action sends its events, signed, and GitHub`s library accepts them', async () => {
  const receiver = await startReceiver();
  const github = await startValidated(hook(receiver.url));
  const [ada, bob] = [github.as('ada'), github.as('bob')];
  const issue = ada.openIssue('acme/shop', { title: 'Broken', labels: ['fettle'] });
  const comment = bob.comment(issue, '/fix');
  bob.editComment(issue, comment.id, '/fix it');
  bob.deleteComment(issue, comment.id);
  ada.unlabel(issue, 'fettle');
  ada.closeIssue(issue);
  ada.reopenIssue(issue);
  await bob.push('acme/shop', 'fix', { 'README.md': 'one\n2\nthree\n' });
  const pull = await bob.openPullRequest('acme/shop', { title: 'Fix', head: 'fix', base: 'main' });
  ada.label(pull, 'fettle:hands-off');
  ada.unlabel(pull, 'fettle:hands-off');
  bob.convertToDraft(pull);
  bob.markReady(pull);
  const line = { path: 'README.md', line: 2, body: 'Why?' };
  await ada.review(pull, { event: 'REQUEST_CHANGES', body: 'No', comments: [line] });
  const first = github.repository('acme/shop').issues.get(pull.number)?.pull?.comments[0]?.id ?? 0;
  bob.reply(pull, first, 'Because');
  bob.resolveThread(pull, first);
  bob.unresolveThread(pull, first);
  await bob.completeCheck('acme/shop', { on: 'fix', name: 'test', conclusion: 'failure' });
  await bob.push('acme/shop', 'fix', { 'README.md': 'one\n3\nthree\n' });
  bob.closePullRequest(pull);
  await bob.reopenPullRequest(pull);
  await ada.merge(pull);
  ada.rename('acme/shop', 'store');
  const [installation] = github.installations();
  if (!installation) throw new Error('no installation');
  github.removeRepositories(installation, ['acme/till']);
  github.addRepositories(installation, ['acme/till']);
  github.suspend(installation);
  github.unsuspend(installation);
  github.changePermissions(installation, { issues: 'read' });
  github.uninstall(installation);
  await github.deliveries.settled();

  expect([...new Set(receiver.events())].sort()).toEqual([
    'check_run completed',
    'check_run created',
    'check_suite completed',
    'check_suite requested',
    'installation created',
    'installation deleted',
    'installation new_permissions_accepted',
    'installation suspend',
    'installation unsuspend',
    'installation_repositories added',
    'installation_repositories removed',
    'issue_comment created',
    'issue_comment deleted',
    'issue_comment edited',
    'issues closed',
    'issues labeled',
    'issues opened',
    'issues reopened',
    'issues unlabeled',
    'pull_request closed',
    'pull_request converted_to_draft',
    'pull_request labeled',
    'pull_request opened',
    'pull_request ready_for_review',
    'pull_request reopened',
    'pull_request synchronize',
    'pull_request unlabeled',
    'pull_request_review submitted',
    'pull_request_review_comment created',
    'pull_request_review_thread resolved',
    'pull_request_review_thread unresolved',
    'push',
    'repository renamed',
  ]);
  expect([...github.validator.unknown]).toEqual([]);
  const { webhooks } = appOf(github);
  for (const { id, event, body, signature } of receiver.received)
    await webhooks.verifyAndReceive({ id, name: event, payload: body, signature });
  const [one] = receiver.received;
  const forged = webhooks.verifyAndReceive({
    id: '1',
    name: 'push',
    payload: `${one?.body} `,
    signature: one?.signature ?? '',
  });
  await expect(forged).rejects.toMatchObject({ errors: [{ status: 400 }] });
});

test('failed deliveries stay in the list, in pages, and can be sent again', async () => {
  let status = 503;
  const receiver = await startReceiver(() => status);
  const github = await startValidated(hook(receiver.url));
  const { octokit } = appOf(github);
  for (let i = 0; i < 4; i += 1) github.as('ada').openIssue('acme/shop', { title: `Issue ${i}` });
  await github.deliveries.settled();
  const list = (query: Record<string, unknown>) => octokit.request('GET /app/hook/deliveries', query);
  const first = await list({ per_page: 3 });
  const cursor = /cursor=([^&>]+)/.exec(first.headers.link ?? '')?.[1];
  const second = await list({ per_page: 3, cursor });
  expect([first.data.length, second.data.length, second.headers.link]).toEqual([3, 2, undefined]);
  expect(first.data[0]).toMatchObject({
    event: 'issues',
    action: 'opened',
    status_code: 503,
    redelivery: false,
  });
  const delivery_id = Number(first.data[0]?.id);
  const one = await octokit.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id });
  expect(one.data.request.payload).toMatchObject({ action: 'opened' });
  status = 202;
  await octokit.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id });
  await github.deliveries.settled();
  const [latest] = (await list({ per_page: 1 })).data;
  expect(latest).toMatchObject({
    guid: first.data[0]?.guid,
    redelivery: true,
    status: 'OK',
    status_code: 202,
  });
  // As a parameter, `url` would replace the address of the route.
  const config = await octokit.request('PATCH /app/hook/config', {
    data: { url: 'http://127.0.0.1:1/gone' },
  });
  expect(config.data).toMatchObject({ url: 'http://127.0.0.1:1/gone', secret: '********' });
  github.as('ada').openIssue('acme/shop', { title: 'Unreachable' });
  await github.deliveries.settled();
  expect((await list({ per_page: 1 })).data[0]?.status).toBe('failed to connect to host');
  await octokit.request('GET /app/hook/config');
});

test('events can be kept back, and an App gets only what it may see', async () => {
  const receiver = await startReceiver();
  const github = await startValidated(hook(receiver.url));
  await github.deliveries.settled();
  receiver.received.length = 0;
  github.deliveries.pause();
  github.as('ada').openIssue('acme/shop', { title: 'Later' });
  await github.deliveries.settled();
  expect(receiver.events()).toEqual([]);
  github.deliveries.resume();
  await github.deliveries.settled();
  expect(receiver.events()).toEqual(['issues opened']);
  const [installation] = github.installations();
  if (!installation) throw new Error('no installation');
  github.changePermissions(installation, { contents: 'read' });
  github.as('ada').openIssue('acme/shop', { title: 'Hidden' });
  await github.deliveries.settled();
  expect(receiver.events()).toEqual(['issues opened', 'installation new_permissions_accepted']);
});

test('a comment of the App is delivered to the App too', async () => {
  const receiver = await startReceiver();
  const github = await startValidated(hook(receiver.url));
  const octokit = await installationClient(github);
  const { number } = github.as('ada').openIssue('acme/shop', { title: 'Broken' });
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...shop,
    issue_number: number,
    body: '/fix',
  });
  await github.deliveries.settled();
  const own = receiver.received.find(({ event }) => event === 'issue_comment');
  expect(JSON.parse(own?.body ?? '{}')).toMatchObject({
    sender: { login: 'fettle[bot]', type: 'Bot' },
    comment: { performed_via_github_app: { slug: 'fettle' } },
  });
});
