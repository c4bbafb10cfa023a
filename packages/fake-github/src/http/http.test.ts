import { expect, test } from 'vitest';
import { installationClient, scopedToken, shop, startValidated, statusOf } from '../testing/start.ts';

const repository = 'GET /repos/{owner}/{repo}';

test('an ETag saves a call', async () => {
  const github = await startValidated();
  const { octokit } = await scopedToken(github, {});
  const first = await octokit.request(repository, shop);
  const again = octokit.request(repository, { ...shop, headers: { 'if-none-match': first.headers.etag } });
  expect(await statusOf(again)).toBe(304);
  const { data } = await octokit.request('GET /rate_limit');
  expect(data.rate.used).toBe(1);
  github.as('ada').openIssue('acme/shop', { title: 'New' });
  const changed = await octokit.request(repository, {
    ...shop,
    headers: { 'if-none-match': first.headers.etag },
  });
  expect(changed.status).toBe(200);
});

test('lists have pages with links', async () => {
  const github = await startValidated();
  const { octokit } = await scopedToken(github, {});
  for (let i = 1; i <= 5; i += 1) github.as('ada').openIssue('acme/shop', { title: `Issue ${i}` });
  const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/issues', {
    ...shop,
    per_page: 2,
    page: 2,
  });
  expect(data.map(({ number }) => number)).toEqual([3, 2]);
  const rels = [...(headers.link ?? '').matchAll(/[?&]page=(\d+)>; rel="(\w+)"/g)].map(
    ([, page, rel]) => `${rel} ${page}`,
  );
  expect(rels).toEqual(['prev 1', 'next 3', 'last 3', 'first 1']);
});

test('the primary rate limit ends with the hour', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  github.setRateLimit(1, 60);
  const call = () => octokit.request(repository, shop);
  expect((await call()).headers['x-ratelimit-remaining']).toBe('0');
  await expect(call()).rejects.toMatchObject({
    status: 403,
    response: {
      headers: { 'x-ratelimit-remaining': '0' },
      data: { message: expect.stringContaining('API rate limit exceeded') },
    },
  });
  github.advanceClock(61_000);
  expect(await statusOf(call())).toBe(0);
});

test('faults hit the next requests that match, and no others', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const call = () => octokit.request(repository, shop);
  github.plan('GET /repos/acme/*', { status: 502 }, 2);
  github.plan('GET /repos/acme/shop', { secondaryRateLimit: { retryAfterSeconds: 7 } });
  expect(await statusOf(octokit.request('GET /rate_limit'))).toBe(0);
  expect([await statusOf(call()), await statusOf(call())]).toEqual([502, 502]);
  await expect(call()).rejects.toMatchObject({ status: 403, response: { headers: { 'retry-after': '7' } } });
  expect(await statusOf(call())).toBe(0);
});

test('a dropped connection loses the request, or only its answer', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const open = () => octokit.request('POST /repos/{owner}/{repo}/issues', { ...shop, title: 'New' });
  const count = () => github.repository('acme/shop').issues.size;
  github.plan('POST */issues', { drop: 'before' });
  await expect(open()).rejects.toThrow();
  expect(count()).toBe(0);
  github.plan('POST */issues', { drop: 'after' });
  await expect(open()).rejects.toThrow();
  expect(count()).toBe(1);
  expect(github.requests().filter(({ isDropped }) => isDropped)).toHaveLength(2);
});

test('a slow answer can be abandoned', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  github.plan(/^GET \/repos/, { delayMs: 60_000 });
  const call = octokit.request(repository, { ...shop, request: { signal: AbortSignal.timeout(200) } });
  await expect(call).rejects.toThrow();
  expect(await statusOf(octokit.request(repository, shop))).toBe(0);
});

test('bad requests get the errors of GitHub', async () => {
  const github = await startValidated();
  const { text } = await scopedToken(github, {});
  const post = async (body: string, authorization = `token ${text}`) => {
    const response = await fetch(`${github.apiUrl}/repos/acme/shop/issues`, {
      method: 'POST',
      body,
      headers: { authorization },
    });
    const { message } = (await response.json()) as { message: string };
    return [response.status, message];
  };
  expect(await post('{')).toEqual([400, 'Problems parsing JSON']);
  expect(await post('{"title":7,"labels":"x"}')).toEqual([
    422,
    expect.stringContaining("For 'properties/labels'"),
  ]);
  expect(await post('{"title":"x"}', 'token ghs_wrong')).toEqual([401, 'Bad credentials']);
  const response = await fetch(`${github.apiUrl}/nothing`);
  expect([response.status, await response.json()]).toMatchObject([404, { message: 'Not Found' }]);
});

test('the log names tokens and holds no secret', async () => {
  const github = await startValidated();
  const { text, octokit } = await scopedToken(github, {});
  await octokit.request(repository, shop);
  const known = JSON.stringify([github.requests(), github.gitUses(), github.tokens().map(({ id }) => id)]);
  expect(known).not.toContain(text);
  expect(github.requests().at(-1)).toMatchObject({
    method: 'GET',
    path: '/repos/acme/shop',
    tokenId: github.tokens()[0]?.id,
  });
});
