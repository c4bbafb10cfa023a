/** Many clients at once: followers that lose their connection, and repeated requests. */
import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import { follow } from './support/follower.ts';

const steps = Array.from({ length: 12 }, (_, n) =>
  turn(call('run_command', { command: `sleep 2; echo ${n}` })),
);
const long = conversationFor('long', ...steps, turn(say('Done')));
const short = conversationFor('short', turn(say('Nothing to do')));

const settings = { FETTLE_RATE_LIMIT: '1000000' };
const platform = await openPlatform({ conversations: [long, short], settings });
const repository = openRepository(brokenSum);

test('a thousand followers see every event once and in order through two restarts of the api', async () => {
  const { id } = await platform.create(repository.request('fix', 'long'));
  const url = `${platform.url}/v1/operations/${id}/events`;
  const followers = Array.from({ length: 1_000 }, () => follow(url, platform.token));
  const connected = () => followers.filter(({ positions }) => positions.length > 0).length;
  await expect.poll(connected, { timeout: 60_000 }).toBe(1_000);

  await platform.api.kill();
  const second = await platform.startApi();
  const reconnected = () => followers.filter(({ reconnects }) => reconnects > 0).length;
  await expect.poll(reconnected, { timeout: 60_000 }).toBeGreaterThan(900);
  await second.stop();
  await platform.startApi();

  await Promise.all(followers.map(({ done }) => done));
  const { state } = await platform.get(id);
  expect(state).toBe('unchanged');
  const [first] = followers;
  const all = Array.from({ length: first?.positions.at(-1) ?? 0 }, (_, index) => index + 1);
  expect(all.length).toBeGreaterThan(40);
  for (const { positions } of followers) expect(positions).toEqual(all);
});

test('the same Idempotency-Key fifty times at once is one operation', async () => {
  const body = repository.request('fix', 'short');
  const headers = { 'idempotency-key': 'only-once' };
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => platform.call('POST', '/v1/operations', { body, headers })),
  );
  const operations = (await Promise.all(responses.map((each) => each.json()))) as { id: string }[];
  expect(new Set(operations.map(({ id }) => id)).size).toBe(1);
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => b - a);
  expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 200)]);
  const other = { ...body, description: 'short, and another' };
  const clash = await platform.call('POST', '/v1/operations', { body: other, headers });
  expect(clash.status).toBe(409);
});

test('the same message is one operation, however it arrives', async () => {
  const body = {
    kind: 'fix',
    description: 'short',
    repository: repository.path,
    origin: 'slack:C1/1700000000.1',
  };
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      platform.call('POST', '/v1/operations', { body, headers: { 'idempotency-key': `delivery-${n}` } }),
    ),
  );
  const operations = (await Promise.all(responses.map((each) => each.json()))) as { id: string }[];
  expect(new Set(operations.map(({ id }) => id)).size).toBe(1);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
});
