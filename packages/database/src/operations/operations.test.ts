import { randomUUID } from 'node:crypto';
import { operationSchema, type State } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { claim, createOperation, request, setScene, startProposing } from '../testing/scene.ts';

const totals = { parts: 3, turns: 2, tokens: 5_000_000_000, usd: 0 };
const leaseSeconds = 30;
const handedOver = {
  why: 'handed_over',
  reason: 'worker_stopped',
  message: 'stopping',
  totals,
  maxLost: 5,
} as const;

onEachDatabase((database) => {
  const payloads = async (id: string) =>
    (await database().outbox.pendingFor(id)).map(({ kind, payload }) => ({ kind, payload }));

  test('create stores a queued operation, a job and an event', async () => {
    const { create } = await setScene(database());
    const before = Date.now();
    const { operation, created } = await create();
    expect(created).toBe(true);
    const { id, createdAt } = operation;
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    expect(operation).toEqual({
      id,
      state: 'queued',
      kind: 'fix',
      priority: 'medium',
      request,
      repository: 'shop',
      requestedBy: 'Ada',
      attempts: 0,
      revision: 1,
      totals: { parts: 0, turns: 0, tokens: 0, usd: 0 },
      outcome: null,
      createdAt,
      stateSince: createdAt,
      waitsFor: 'a free worker',
      settledAt: null,
    });
    expect(operationSchema.parse(operation)).toEqual(operation);
    const { kind, description } = request;
    expect(await payloads(id)).toEqual([
      { kind: 'job', payload: { operationId: id, priority: 'medium', attempt: 1, notBefore: null } },
      { kind: 'event', payload: { type: 'operation.created', kind, description, repository: 'shop' } },
    ]);
  });

  test('fifty creates with one key create one operation; a different request with that key is rejected', async () => {
    const { create, organizationId } = await setScene(database());
    const key = { idempotencyKey: crypto.randomUUID() };
    const made = await Promise.all(Array.from({ length: 50 }, () => create(key)));
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(made.map(({ operation }) => operation.id)).size).toBe(1);
    const id = made[0]?.operation.id ?? expect.fail();
    expect(await payloads(id)).toHaveLength(2);
    expect(await database().operations.get(id, organizationId)).toEqual(made[0]?.operation);
    expect(await database().operations.get(id, 'org_other')).toBeUndefined();
    await expect(create({ ...key, requestHash: 'other' })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test('text that Postgres text columns reject is stored unchanged', async () => {
    const { create } = await setScene(database());
    const odd = { ...request, description: 'NUL \0, half a pair \ud800, "\\u0000"' };
    const { operation } = await create({ request: odd });
    expect((await database().operations.get(operation.id))?.request).toEqual(odd);
  });

  test('a list is newest first, filtered, and paged by a cursor', async () => {
    const { create, organizationId, repository } = await setScene(database());
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.unshift((await create({ request: { ...request, kind: i === 0 ? 'ask' : 'fix' } })).operation.id);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const list = (filter: object) =>
      database().operations.list({
        organizationId,
        filter: { limit: 2, repository: repository.url, ...filter },
      });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list(cursor ? { cursor } : {});
      seen.push(...page.operations.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(ids);
    expect((await list({ kind: 'ask' })).operations.map(({ id }) => id)).toEqual(ids.slice(-1));
    expect((await list({ state: 'acting' })).operations).toEqual([]);
    expect((await list({ repository: 'shop', limit: 1 })).operations).toHaveLength(1);
    const last = ids.at(-1) ?? '';
    for (const part of [last, last.slice(0, -1), last.slice(3, -1), last.slice(-8)])
      expect((await list({ id: part })).operations.map(({ id }) => id)).toEqual([last]);
    // In a pattern of SQL, _ stands for any character.
    expect((await list({ id: `${last.slice(0, -1)}_` })).operations).toEqual([]);
    for (const bad of ['!', 'b3A', Buffer.from('x').toString('base64url'), '']) {
      await expect(list({ cursor: bad })).rejects.toMatchObject({ code: 'bad_request', field: 'cursor' });
    }
  });

  test('one of twenty concurrent claims succeeds', async () => {
    const { id, repository } = await createOperation(database());
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        database().operations.claim({ id, key: randomUUID(), worker: `w${i}`, leaseSeconds }),
      ),
    );
    const won = claims.filter((claim) => claim.status === 'fulfilled');
    const lost = claims.filter((claim) => claim.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(new Set(lost.map(({ reason }) => reason.code))).toEqual(new Set(['conflict']));
    expect(won[0]?.value).toEqual({
      operation: expect.objectContaining({ id, state: 'preparing', attempts: 1 }),
      attempt: 1,
      organization: 'default',
      fence: 1,
      messageCount: 0,
      source: { repositoryId: repository.id, url: repository.url, forge: 'local' },
      requester: { name: 'Ada', email: 'ada@example.com' },
    });
    const worker = expect.stringMatching(/^w/);
    expect((await payloads(id)).slice(2)).toEqual([
      { kind: 'event', payload: { type: 'operation.state', from: 'queued', to: 'preparing', attempt: 1 } },
      { kind: 'event', payload: { type: 'attempt.started', attempt: 1, worker } },
    ]);
    await expect(
      database().operations.claim({ id: 'op_none', key: randomUUID(), worker: 'w', leaseSeconds }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('one of many concurrent transitions from one state succeeds', async () => {
    const { id } = await createOperation(database());
    const { fence } = await claim(database(), id);
    const moves = await Promise.allSettled(
      (['acting', 'proposing', 'acting', 'proposing', 'acting'] as State[]).map((to) =>
        database().operations.transition({ id, fence, from: 'preparing', to }),
      ),
    );
    const won = moves.flatMap((move) => (move.status === 'fulfilled' ? [move.value.state] : []));
    // A repeated request changes nothing.
    expect(new Set(won).size).toBe(1);
    const events = (await payloads(id)).filter(({ kind }) => kind === 'event');
    expect(events).toHaveLength(4);
  });

  test('a transition from a wrong state, to a wrong state, without an outcome, or with an old fencing number is rejected', async () => {
    const { id } = await createOperation(database());
    const { operations } = database();
    await claim(database(), id);
    await operations.release({ id, fence: 1, from: 'preparing', ...handedOver });
    const { fence } = await claim(database(), id);
    expect(fence).toBe(2);
    const refused = async (input: { fence: number; from: State; to: State }, code: string) =>
      expect(operations.transition({ id, ...input })).rejects.toMatchObject({ code });
    await refused({ fence: 1, from: 'preparing', to: 'acting' }, 'fenced');
    await refused({ fence, from: 'acting', to: 'verifying' }, 'conflict');
    await refused({ fence, from: 'preparing', to: 'merged' }, 'bad_request');
    await refused({ fence, from: 'preparing', to: 'verifying' }, 'conflict');
    await refused({ fence, from: 'preparing', to: 'failed' }, 'bad_request');
    const answer = { kind: 'answer', answer: '42' } as const;
    await expect(
      operations.settle({ id, fence: 1, from: 'preparing', outcome: answer, totals }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(operations.heartbeat({ id, fence: 1, totals, leaseSeconds })).rejects.toMatchObject({
      code: 'fenced',
    });
    await expect(operations.owned({ id, fence: 1 })).rejects.toMatchObject({ code: 'fenced' });
    expect(await operations.owned({ id, fence })).toMatchObject({ state: 'preparing' });
    expect((await payloads(id)).filter(({ kind }) => kind === 'job')).toHaveLength(2);
  });

  test('settle stores the outcome', async () => {
    const { id } = await createOperation(database());
    const { operations, outbox } = database();
    const fence = await startProposing(database(), id);
    await outbox.markDelivered((await outbox.pendingFor(id)).map((entry) => entry.id));
    const outcome = {
      kind: 'proposal',
      draft: true,
      branch: 'fettle/1',
      headCommit: 'abc',
      pullRequest: { number: 1, url: '/v1/pull-requests/pr_1', title: 'Fix' },
      reason: 'verification_failed',
      message: 'two tests fail',
    } as const;
    const settled = await operations.settle({ id, fence, from: 'proposing', outcome, totals });
    expect(settled).toMatchObject({ state: 'awaiting_approval', outcome, totals });
    expect(settled.settledAt).toBe(settled.stateSince);
    const { reason, message } = outcome;
    const [from, to] = ['proposing', 'awaiting_approval'];
    expect(await payloads(id)).toEqual([
      { kind: 'event', payload: { type: 'operation.state', from, to, attempt: 1, reason, message } },
      { kind: 'event', payload: { type: 'operation.settled', state: to, outcome } },
    ]);
  });

  test('a cancelled operation stays cancelled, and its worker learns of it', async () => {
    const { id, organizationId } = await createOperation(database());
    const { operations } = database();
    const { fence } = await claim(database(), id);
    expect(await operations.heartbeat({ id, fence, totals, leaseSeconds })).toEqual({
      state: 'preparing',
      pauseRequested: false,
      messageCount: 0,
    });
    const cancel = () => operations.cancel({ id, organizationId, by: 'Ada' });
    await expect(operations.cancel({ id, organizationId: 'org_other', by: 'Eve' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [first, second] = [await cancel(), await cancel()];
    const outcome = { kind: 'failure', reason: 'cancelled', message: 'Cancelled by Ada.' };
    expect(first.operation).toMatchObject({ state: 'cancelled', outcome, totals });
    expect([first.wasWorked, second.wasWorked]).toEqual([true, false]);
    expect(second.operation).toEqual(first.operation);
    expect(await operations.heartbeat({ id, fence, totals, leaseSeconds })).toMatchObject({
      state: 'cancelled',
    });
    await expect(operations.transition({ id, fence, from: 'preparing', to: 'acting' })).rejects.toMatchObject(
      {
        code: 'conflict',
      },
    );
  });

  test('if cancel and settle race, one of them succeeds, and both agree which', async () => {
    const { create, organizationId } = await setScene(database());
    for (let round = 0; round < 5; round++) {
      const { id } = (await create()).operation;
      const { operations } = database();
      const { fence } = await claim(database(), id);
      const outcome = { kind: 'failure', reason: 'setup_failed', message: 'npm ci failed' } as const;
      const [settled, cancelled] = await Promise.allSettled([
        operations.settle({ id, fence, from: 'preparing', outcome, totals }),
        operations.cancel({ id, organizationId, by: 'Ada' }),
      ]);
      const { state } = (await operations.get(id)) ?? expect.fail();
      expect([settled.status, cancelled.status]).toEqual(
        state === 'failed' ? ['fulfilled', 'rejected'] : ['rejected', 'fulfilled'],
      );
      const ends = (await payloads(id)).filter(({ payload }) => payload !== undefined && 'state' in payload);
      expect(ends).toHaveLength(1);
    }
  });
});
