import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ErrorBody, Operation, OperationList } from '@fettle/contract';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { describe, expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import { brokenSum } from '../support/repository.ts';

const conversations = [
  conversationFor('pause', turn(call('run_command', { command: 'sleep 2' })), turn(say('Rested'))),
  conversation('quick', [turn(say('Nothing to do'))]),
];

const platform = await openPlatform({
  conversations,
  settings: {
    FETTLE_RATE_LIMIT: '400',
    FETTLE_CONCURRENCY: '1',
    FETTLE_MAX_PART: '3',
    FETTLE_WORKER_NAME: 'worker-a',
  },
});
const repository = openRepository(brokenSum);

const request = () => repository.request('fix', 'quick');
const post = (body: unknown, headers: Record<string, string> = {}) =>
  platform.call('POST', '/v1/operations', { body, headers });

async function errorOf(response: Response): Promise<ErrorBody['error'] & { status: number }> {
  return { status: response.status, ...((await response.json()) as ErrorBody).error };
}

async function expectError(answer: Promise<Response>, status: number, code: string): Promise<void> {
  expect(await errorOf(await answer)).toMatchObject({ status, code });
}

describe('every error has the same format', () => {
  test.each([
    ['an unknown kind', { kind: 'destroy' }, 400, 'bad_request', 'kind'],
    ['no description', { description: '' }, 400, 'bad_request', 'description'],
    ['a misspelt field', { descripton: 'x' }, 400, 'bad_request', 'descripton'],
    ['a nested field', { errorContext: { stack: 7 } }, 400, 'bad_request', 'errorContext.stack'],
    ['a folder that is no repository', { repository: '/' }, 404, 'repository_not_found', 'repository'],
    ['an unknown name', { repository: 'owner/name' }, 404, 'repository_not_found', 'repository'],
    ['a name that leaves the folder', { repository: '../name' }, 400, 'bad_request', 'repository'],
    [
      'a host that is not allowed',
      { repository: 'https://a.test/b' },
      422,
      'unsupported_repository',
      'repository',
    ],
    ['an ssh address', { repository: 'git@a.test:b.git' }, 422, 'unsupported_repository', 'repository'],
    [
      'an address that cannot be read',
      { repository: 'https://u:p@a:99999/b' },
      400,
      'bad_request',
      'repository',
    ],
    [
      'an address with a query',
      { repository: 'https://a.test/b?' },
      422,
      'unsupported_repository',
      'repository',
    ],
    ['an address with a password', { repository: 'https://u:p@a.test/b' }, 400, 'bad_request', 'repository'],
  ])('%s', async (_name, change, status, code, field) => {
    const error = await errorOf(await post({ ...request(), ...change }));
    expect(error).toEqual({ status, code, field, message: expect.any(String), advice: expect.any(String) });
  });

  test('events for a client that accepts no stream', async () => {
    const { id } = await platform.create(request());
    const headers = { accept: 'application/json' };
    const answer = await platform.call('GET', `/v1/operations/${id}/events`, { headers });
    expect(await errorOf(answer)).toMatchObject({ status: 406, code: 'not_acceptable' });
  });

  test('oversized headers, and bytes that are not HTTP', async () => {
    const large = await platform.call('GET', '/v1/operations', { headers: { 'x-a': 'x'.repeat(40_000) } });
    expect(await errorOf(large)).toMatchObject({ status: 431, code: 'too_large' });
    const { hostname, port } = new URL(platform.url);
    const socket = connect(Number(port), hostname).end('what?\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*"code":"bad_request"/s);
  });

  test('bodies that are not JSON, or too large, or of another type', async () => {
    await expectError(post('{"kind":'), 400, 'bad_request');
    await expectError(post({ ...request(), description: 'x'.repeat(1_100_000) }), 413, 'too_large');
    await expectError(
      post('kind=fix', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported',
    );
  });

  test('unknown ids and addresses', async () => {
    for (const path of [
      '/v1/operations/op_nope',
      '/v1/operations/op_nope/events',
      '/v1/pull-requests/pr_nope',
      '/v2/x',
    ]) {
      await expectError(platform.call('GET', path), 404, 'not_found');
    }
    const headers = { 'content-type': 'application/json' };
    const empty = await platform.call('POST', '/v1/operations/op_nope/cancel', { headers });
    expect(empty.status).toBe(404);
    expect(await errorOf(await platform.call('POST', '/v1/operations/op_nope/cancel'))).toMatchObject({
      status: 404,
    });
  });

  test('invalid ids and addresses', async () => {
    for (const path of [
      '/v1/operations/%00',
      '/v1/operations/%00/events',
      '/v1/pull-requests/a%00',
      '/v1/operations?repository=%00',
      '/v1/operations/%ff',
    ]) {
      await expectError(platform.call('GET', path), 400, 'bad_request');
    }
  });

  test('tokens', async () => {
    for (const authorization of ['', 'Bearer wrong', 'Basic eDp5', 'Bearer ']) {
      await expectError(
        platform.call('GET', '/v1/operations', { headers: { authorization } }),
        401,
        'unauthorized',
      );
    }
    // A person's token does not open the worker's door, nor the other way round.
    expect(
      (await platform.call('POST', '/internal/v1/operations/x/claim', { body: { worker: 'w' } })).status,
    ).toBe(401);
    expect(
      (
        await platform.call('GET', '/v1/operations', {
          headers: { authorization: 'Bearer a-key-for-the-flow-tests' },
        })
      ).status,
    ).toBe(401);
  });
});

test('each service warns about a name that is no setting', () => {
  for (const { log } of [platform.api, platform.worker])
    expect(log()).toMatch(/"names":\["FETTLE_MAX_PART"\].*no effect/);
});

test('the workers, and whether they can work', async () => {
  await expect
    .poll(async () => (await platform.call('GET', '/v1/workers')).json(), { timeout: 20_000 })
    .toMatchObject({ workers: [{ name: 'worker-a', canWork: true, problems: [], concurrency: 1 }] });
});

test('health, readiness and a document that describes the API', async () => {
  expect(await (await fetch(`${platform.url}/healthz`)).json()).toEqual({ ok: true });
  expect(await (await fetch(`${platform.url}/readyz`)).json()).toEqual({
    database: true,
    redis: true,
    events: true,
    notes: [],
  });
  const document = (await (await fetch(`${platform.url}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { summary?: string }>>;
  };
  expect(Object.keys(document.paths).sort()).toEqual([
    ...['/healthz', '/readyz', '/v1/github', '/v1/github/webhooks'],
    ...['/v1/operations', '/v1/operations/{id}', '/v1/operations/{id}/cancel'],
    ...['/v1/operations/{id}/events', '/v1/operations/{id}/messages'],
    ...['diff', 'files', 'tree'].map((what) => `/v1/operations/{id}/parts/{number}/${what}`),
    ...['/v1/operations/{id}/pause', '/v1/operations/{id}/plan', '/v1/operations/{id}/request-changes'],
    ...['/v1/operations/{id}/resume', '/v1/policy/denials'],
    ...['/v1/pull-requests/{id}', '/v1/secrets/allowed', '/v1/secrets/allowed/{fingerprint}', '/v1/workers'],
  ]);
  const calls = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(calls.filter(({ summary = '' }) => summary === '')).toEqual([]);
  expect(document.paths['/v1/operations']).toMatchObject({
    post: { responses: { 201: {}, '4XX': { content: { 'application/json': {} } } } },
  });
});

test('the same Idempotency-Key 50 times at once is one operation; with another request it is an error', async () => {
  const headers = { 'idempotency-key': 'once' };
  const responses = await Promise.all(Array.from({ length: 50 }, () => post(request(), headers)));
  const operations = (await Promise.all(responses.map((response) => response.json()))) as Operation[];
  expect(new Set(operations.map(({ id }) => id)).size).toBe(1);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  await expectError(post({ ...request(), description: 'other' }, headers), 409, 'idempotency_conflict');
});

test('lists by page and by filter', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++)
    made.push((await platform.run({ ...request(), kind: 'refactor' })).operation.id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = `kind=refactor&limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    const page = (await (await platform.call('GET', `/v1/operations?${query}`)).json()) as OperationList;
    seen.push(...page.operations.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(made.reverse());
  expect((await platform.call('GET', '/v1/operations?state=nope')).status).toBe(400);
  expect((await platform.call('GET', '/v1/operations?cursor=%00')).status).toBe(400);
});

test('events can be followed from any position, live and afterwards, each once and in order', async () => {
  const { id } = await platform.create({ ...request(), description: 'pause' });
  const live = await platform.follow(id);
  const positions = live.map(({ position }) => position);
  expect(positions).toEqual(positions.map((_position, index) => index + 1));
  const from = await platform.call('GET', `/v1/operations/${id}/events`, {
    headers: { 'last-event-id': '3' },
  });
  const rest = [];
  for await (const event of readEventStream(from)) rest.push(event);
  expect(rest).toEqual(live.slice(3));
  const none = await platform.call('GET', `/v1/operations/${id}/events`, {
    headers: { 'last-event-id': String(live.length) },
  });
  expect(none.status).toBe(204);
  for (const bad of ['x', '-1', '99999']) {
    expect(
      (await platform.call('GET', `/v1/operations/${id}/events`, { headers: { 'last-event-id': bad } }))
        .status,
    ).toBe(400);
  }
});

test('higher priority runs first', async () => {
  // One operation takes the worker's only place; the rest queue up in the wrong order.
  const blocker = await platform.create({ ...request(), description: 'pause' });
  const stateOf = async () =>
    ((await (await platform.call('GET', `/v1/operations/${blocker.id}`)).json()) as Operation).state;
  await expect.poll(stateOf, { timeout: 30_000 }).not.toBe('queued');
  const runs = [];
  for (const priority of ['low', 'medium', 'high', 'critical'] as const) {
    const { id } = await platform.create({ ...request(), priority });
    runs.push(platform.follow(id).then((events) => ({ priority, at: events[2]?.at ?? '' })));
  }
  const started = (await Promise.all(runs)).sort((a, b) => a.at.localeCompare(b.at));
  expect(started.map(({ priority }) => priority)).toEqual(['critical', 'high', 'medium', 'low']);
});

test('too many requests', async () => {
  const ask = () => platform.call('GET', '/v1/operations?limit=1');
  let last: Response | undefined;
  // A burst may fall on two minutes, neither of which has too many.
  for (let burst = 0; burst < 5 && !last; burst++) {
    const answers = await Promise.all(Array.from({ length: 450 }, ask));
    last = answers.find(({ status }) => status === 429);
    await Promise.all(answers.filter((each) => each !== last).map((each) => each.arrayBuffer()));
  }
  if (!last) throw new Error('never too many');
  expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await errorOf(last)).toMatchObject({ status: 429, code: 'too_many_requests' });
});
