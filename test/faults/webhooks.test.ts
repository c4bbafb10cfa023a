/** Webhooks that are forged, broken or repeated, and a thousand of them while the api is killed. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type EventPlatform, openEventPlatform, until, webhookSecret } from '../support/event-platform.ts';

const openGithub = () =>
  openEventPlatform({
    conversations: [],
    workers: 0,
    hasWebhooks: false,
    settings: { GITHUB_POLL_SECONDS: '600' },
    fake: {
      users: ['ada', 'eve'],
      organizations: ['acme'],
      repositories: [{ name: 'acme/shop', files: { 'a.txt': 'a\n' }, roles: { ada: 'admin' } }],
    },
  });

interface Sending {
  body: string;
  event?: string | undefined;
  id?: string | undefined;
  secret?: string;
  headers?: Record<string, string>;
}

function headersFor({
  body,
  event = 'issue_comment',
  id = randomUUID(),
  secret = webhookSecret,
  headers,
}: Sending) {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${signature}`,
    ...headers,
  };
}

async function send({ platform }: EventPlatform, sending: Sending): Promise<number> {
  const response = await fetch(`${platform.url}/v1/github/webhooks`, {
    method: 'POST',
    headers: headersFor(sending),
    body: sending.body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** A comment as GitHub describes it, as far as Fettle reads it. */
function commentPayload(
  { fake }: EventPlatform,
  {
    id,
    text: body,
    number = 1,
    login = 'ada',
  }: { id: number; text: string; number?: number; login?: string },
): string {
  const { id: repositoryId } = fake.repository('acme/shop');
  const user = { login, type: 'User' };
  const html_url = `${fake.url}/acme/shop/issues/${number}`;
  return JSON.stringify({
    action: 'created',
    repository: { id: repositoryId, full_name: 'acme/shop' },
    issue: { number, title: 'A question', body: '', user, html_url, labels: [] },
    comment: { id, body, user, html_url: `${html_url}#issuecomment-${id}` },
    sender: user,
  });
}

interface Counts {
  deliveries: Record<string, number>;
  lastReceivedAt: string | null;
  rejected: Record<string, number>;
}

async function readCounts({ platform }: EventPlatform): Promise<Counts> {
  return (await (await platform.call('GET', '/v1/github/webhooks')).json()) as Counts;
}

test('a webhook that is forged, broken or unknown has no effect, and its body is in no log', async () => {
  const github = await openGithub();
  const { fake, platform, operations } = github;
  fake.as('ada').openIssue('acme/shop', { title: 'A question' });
  const payload = (id: number, login = 'ada') =>
    commentPayload(github, { id, text: '/ask who wrote canary-7?', login });
  const body = payload(1);
  const statuses = {
    bad: await send(github, { body, secret: 'another' }),
    altered: await send(github, { body, headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } }),
    missing: await send(github, { body, headers: { 'x-hub-signature-256': '' } }),
    old: await send(github, { body, headers: { 'x-hub-signature-256': 'sha1=abc' } }),
    form: await send(github, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    broken: await send(github, { body: '{"canary-7"' }),
    list: await send(github, { body: '[]' }),
    event: await send(github, { body, event: 'Not An Event' }),
    large: await send(github, { body: 'x'.repeat(26 * 1024 * 1024) }),
  };
  expect(statuses).toEqual({
    ...{
      bad: 401,
      altered: 401,
      missing: 401,
      old: 401,
      form: 415,
      broken: 400,
      list: 400,
      event: 400,
      large: 413,
    },
  });
  // Signed, so they are accepted, and then ignored.
  expect(await send(github, { body, event: 'star' })).toBe(202);
  expect(await send(github, { body: '{"action":"created"}' })).toBe(202);
  const stranger = payload(2).replaceAll('acme/shop', 'nobody/nothing');
  expect(await send(github, { body: stranger })).toBe(202);
  expect(await send(github, { body: payload(3, 'eve') })).toBe(202);
  await until('all of them are processed', async () => {
    const { deliveries } = await readCounts(github);
    // The fifth is the new issue, which Fettle fetched.
    return deliveries.ignored === 5 || undefined;
  });
  expect(await operations()).toEqual([]);

  // The id of a delivery is not signed: a replay with another id is the same comment.
  for (const id of ['first', 'first', 'second', 'third']) expect(await send(github, { body, id })).toBe(202);
  await until('the effect', async () => (await readCounts(github)).deliveries.done === 1 || undefined);
  await until('the replays', async () => (await readCounts(github)).deliveries.ignored === 7 || undefined);
  expect(await operations()).toHaveLength(1);
  const { rejected, lastReceivedAt } = await readCounts(github);
  expect(rejected).toEqual({
    bad_signature: 2,
    no_signature: 2,
    wrong_type: 1,
    bad_json: 2,
    bad_headers: 1,
    too_large: 1,
  });
  expect(lastReceivedAt).not.toBeNull();
  const log = platform.api.log();
  expect(log.match(/a webhook was rejected/g)).toHaveLength(9);
  expect(log).not.toContain('canary-7');
});

test('a thousand webhooks, five times each and in any order, have one effect each, although the api is killed', async () => {
  const github = await openGithub();
  const { fake, platform } = github;
  // Where an operation waits, thanks would be a message to it.
  for (const title of ['Thanks', 'Questions']) fake.as('ada').openIssue('acme/shop', { title });
  const every = 10;
  const bodies = Array.from({ length: 1_000 }, (_, index) => {
    const [number, text] = index % every === 0 ? [2, `/ask question ${index}`] : [1, 'Thank you'];
    return { id: randomUUID(), body: commentPayload(github, { id: index + 1, number, text }) };
  });
  const waiting = Array.from({ length: 5 }, () => bodies).flat();
  shuffle(waiting);
  let refused = 0;
  const acknowledged = new Set<string>();
  const senders = Array.from({ length: 20 }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const status = await send(github, next).catch(() => 0);
      if (status === 202) {
        acknowledged.add(next.id);
        continue;
      }
      // The api is down. GitHub would not repeat this; the list of deliveries does.
      refused += 1;
      waiting.unshift(next);
      await delay(50);
    }
  });
  await until('half of them', () => waiting.length < 2_500 || undefined);
  await platform.api.kill();
  const api = await platform.startApi();
  await Promise.all(senders);
  expect(refused).toBeGreaterThan(0);
  expect(acknowledged.size).toBe(1_000);
  const counts = await until('the effects', async () => {
    const found = await readCounts(github);
    return found.deliveries.waiting === undefined ? found : undefined;
  });
  expect(counts.deliveries).toEqual({ done: 100, ignored: 900 + 2 });
  const response = await platform.call('GET', '/v1/operations?limit=200');
  const { operations } = (await response.json()) as { operations: { request: { description: string } }[] };
  const questions = operations.map(({ request }) => request.description.split('\n')[0]);
  expect(questions.toSorted()).toEqual(
    Array.from({ length: 100 }, (_, index) => `question ${index * every}`).toSorted(),
  );
  expect(api.log()).not.toContain('the effect of a webhook failed');
});

function shuffle<T>(items: T[]): void {
  for (let index = items.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
}
