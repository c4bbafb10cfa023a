import { randomUUID } from 'node:crypto';
import type { EventBody, FettleError } from '@fettle/contract';
import { expect, test, vi } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { claim, createOperation, record, request, setScene } from '../testing/scene.ts';

const totals = { parts: 1, turns: 1, tokens: 1, usd: 0 };
const maxLost = 3;

onEachDatabase((database) => {
  const part = (number: number, command: string) =>
    ({
      number,
      turn: number,
      kind: 'tool',
      callId: `c${number}`,
      tool: 'run_command',
      input: { command },
    }) as const;
  const start = (number: number, command = 'true'): EventBody => ({
    type: 'part.started',
    part: part(number, command),
  });
  const finish = (number: number): EventBody => ({
    type: 'part.finished',
    part: { ...part(number, 'true'), status: 'ok', output: '', durationMs: 1, programMs: 1, changed: [] },
  });

  async function loseAttempt(id: string) {
    const { fence } = await claim(database(), id);
    const lost = { id, fence, maxLost, isSilent: () => true };
    const lose = async () => {
      const taken = await database().operations.takeFromLostWorker(lost);
      return taken === 'alive' ? expect.fail() : taken;
    };
    return { fence, lose };
  }

  test('the operation of a lost worker is queued again, with one job for the next attempt', async () => {
    const { id } = await createOperation(database());
    const { fence, lose } = await loseAttempt(id);
    expect(await lose()).toMatchObject({ state: 'queued', attempts: 1, waitsFor: 'a free worker' });
    expect(await lose()).toBeUndefined();
    const jobs = (await database().outbox.pendingFor(id)).filter(({ kind }) => kind === 'job');
    expect(jobs.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ attempt: 1 }),
      expect.objectContaining({ attempt: 2, notBefore: null }),
    ]);
    await expect(
      database().operations.transition({ id, fence, from: 'preparing', to: 'acting' }),
    ).rejects.toMatchObject({ code: 'fenced' });
    expect((await claim(database(), id)).fence).toBe(3);
  });

  test('after its pause, an operation waits for a worker and not for a past time', async () => {
    const { id } = await createOperation(database());
    const released = { why: 'went_wrong', reason: 'disk_full', message: 'No room.' } as const;
    const { fence } = await claim(database(), id);
    await database().operations.release({ id, fence, from: 'preparing', ...released, totals, maxLost });
    expect((await database().operations.get(id))?.waitsFor).toMatch(/^its next attempt at /);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const later = await database().operations.get(id);
    vi.useRealTimers();
    expect(later?.waitsFor).toBe('a free worker');
  });

  test('a worker that sends a heartbeat at the last moment keeps its operation', async () => {
    const { id } = await createOperation(database());
    const { fence } = await claim(database(), id);
    const leases: unknown[] = [];
    const isSilent = ({ leaseExpiresAt }: { leaseExpiresAt: Date | null }) => {
      leases.push(leaseExpiresAt);
      return false;
    };
    expect(await database().operations.takeFromLostWorker({ id, fence, maxLost, isSilent })).toBe('alive');
    expect(leases).toEqual([expect.any(Date)]);
    expect(await database().operations.heartbeat({ id, fence, totals, leaseSeconds: 30 })).toMatchObject({
      state: 'preparing',
    });
  });

  test('attempts without progress wait longer each time, and then the operation fails with the place where they were lost', async () => {
    const { id } = await createOperation(database());
    const states = [];
    for (let attempt = 1; attempt <= maxLost; attempt++) {
      const { lose } = await loseAttempt(id);
      if (attempt === 1) await record(database(), id, start(1, 'boom'));
      states.push(await lose());
    }
    expect(states.map((operation) => operation?.state)).toEqual(['queued', 'queued', 'failed']);
    expect(states[1]?.waitsFor).toMatch(/^its next attempt at /);
    expect(states[2]?.outcome).toMatchObject({
      reason: 'attempts_used_up',
      message: expect.stringContaining('3 attempts in a row were lost at run_command {"command":"boom"}'),
    });
  });

  test('an operation cannot be claimed before its pause is over', async () => {
    const { id } = await createOperation(database());
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { fence } = await claim(database(), id);
      await database().operations.takeFromLostWorker({ id, fence, maxLost: 5, isSilent: () => true });
    }
    const early = await claim(database(), id).catch((error: FettleError) => error);
    expect(early).toMatchObject({ code: 'conflict', afterMs: expect.any(Number) });
    expect((early as FettleError).afterMs).toBeLessThanOrEqual(4_000);
    await expect
      .poll(
        () =>
          claim(database(), id).then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
  });

  test('an attempt with progress resets the count', async () => {
    const { id } = await createOperation(database());
    for (let attempt = 1; attempt <= maxLost + 2; attempt++) {
      const { lose } = await loseAttempt(id);
      await record(
        database(),
        id,
        start(attempt, `step ${attempt}`),
        finish(attempt),
        start(attempt + 100, `step ${attempt}`),
      );
      expect(await lose()).toMatchObject({ state: 'queued' });
      await record(database(), id, finish(attempt + 100));
    }
    for (let attempt = 1; attempt <= maxLost + 2; attempt++) {
      const { lose } = await loseAttempt(id);
      await record(database(), id, start(200 + attempt), finish(200 + attempt));
      expect(await lose()).toMatchObject({ state: 'queued' });
    }
  });

  test('unless it is lost at the same call again', async () => {
    const { id } = await createOperation(database());
    const states = [];
    for (let attempt = 1; attempt <= maxLost; attempt++) {
      const { lose } = await loseAttempt(id);
      await record(database(), id, start(2 * attempt), finish(2 * attempt), start(2 * attempt + 1, 'boom'));
      states.push((await lose())?.state);
      await record(database(), id, finish(2 * attempt + 1));
    }
    expect(states).toEqual(['queued', 'queued', 'failed']);
  });

  test('a handed-over attempt does not count as lost, and the request can be repeated', async () => {
    const { id } = await createOperation(database());
    for (let attempt = 1; attempt <= maxLost + 2; attempt++) {
      const { fence } = await claim(database(), id);
      const release = () =>
        database().operations.release({
          ...{ id, fence, from: 'preparing', why: 'handed_over', reason: 'worker_stopped' },
          ...{ message: 'stopping', totals, maxLost },
        });
      expect(await release()).toMatchObject({ state: 'queued' });
      expect(await release()).toMatchObject({ state: 'queued' });
    }
    const jobs = (await database().outbox.pendingFor(id)).filter(({ kind }) => kind === 'job');
    expect(jobs).toHaveLength(maxLost + 3);
  });

  test('an attempt that waits for something does not count as lost, and the next one starts after a pause', async () => {
    const { id } = await createOperation(database());
    const away = { why: 'waits', reason: 'sandbox_unavailable', message: 'the broker is away' } as const;
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let n = 0; n < maxLost + 2; n += 1) {
        const { fence } = await claim(database(), id);
        const release = { id, fence, from: 'preparing', ...away, totals, maxLost } as const;
        expect(await database().operations.release(release)).toMatchObject({ state: 'queued' });
        expect((await database().operations.get(id))?.waitsFor).toContain('the broker is away');
        vi.setSystemTime(Date.now() + 130_000);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test('a worker that did not get the answer to its last transition can still release the operation', async () => {
    const { id, organizationId } = await createOperation(database());
    const { operations } = database();
    const { fence } = await claim(database(), id);
    await operations.transition({ id, fence, from: 'preparing', to: 'acting' });
    const why = { why: 'handed_over', reason: 'worker_stopped', message: 'stopping' } as const;
    const handOver = { id, from: 'preparing' as const, ...why, totals, maxLost };
    await expect(operations.release({ ...handOver, fence: fence + 1 })).rejects.toMatchObject({
      code: 'fenced',
    });
    expect(await operations.release({ ...handOver, fence })).toMatchObject({ state: 'queued' });
    const events = (await database().outbox.pendingFor(id)).filter(({ kind }) => kind === 'event');
    expect(events.at(-1)?.payload).toMatchObject({ from: 'acting', to: 'queued', reason: 'worker_stopped' });
    await operations.cancel({ id, organizationId, by: 'Ada' });
    await expect(operations.release({ ...handOver, fence })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a claim with the same key is idempotent', async () => {
    const { id } = await createOperation(database());
    const again = () => database().operations.claim({ id, key: 'k', worker: 'w', leaseSeconds: 30 });
    const [first, second] = [await again(), await again()];
    expect(second).toEqual(first);
    await expect(claim(database(), id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a pause waits for the worker, survives the loss of the worker, and ends with a resume', async () => {
    const { id, organizationId } = await createOperation(database());
    const wish = { id, organizationId, by: 'Ada' };
    const { fence, lose } = await loseAttempt(id);
    const { operations } = database();
    expect(await operations.pause(wish)).toMatchObject({
      wasWorked: true,
      operation: { state: 'preparing' },
    });
    expect(await operations.heartbeat({ id, fence, totals, leaseSeconds: 30 })).toEqual({
      state: 'preparing',
      pauseRequested: true,
      messageCount: 0,
    });
    expect(await lose()).toMatchObject({ state: 'paused', waitsFor: expect.stringContaining('Ada') });
    await expect(claim(database(), id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await operations.resume(wish)).toMatchObject({ state: 'queued' });
    await expect(operations.resume(wish)).rejects.toMatchObject({ code: 'conflict' });
    expect(await claim(database(), id)).toMatchObject({ attempt: 2 });
  });

  test('a cancellation orders a clean-up, by an immediate job with its own number', async () => {
    const { id, organizationId } = await createOperation(database());
    await claim(database(), id);
    await database().operations.cancel({ id, organizationId, by: 'Ada' });
    const jobs = (await database().outbox.pendingFor(id)).filter(({ kind }) => kind === 'job');
    expect(jobs.map(({ payload }) => payload)).toMatchObject([
      { attempt: 1 },
      { attempt: 3, notBefore: null },
    ]);
  });

  test('an ended operation cannot be resumed, even if a pause was requested', async () => {
    const { id, organizationId } = await createOperation(database());
    const wish = { id, organizationId, by: 'Ada' };
    await database().operations.pause(wish);
    expect(await database().operations.cancel(wish)).toMatchObject({ operation: { waitsFor: null } });
    await expect(database().operations.resume(wish)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an operation expires after the time limit of its state', async () => {
    const { id } = await createOperation(database());
    const { listInStates, expire } = database().operations;
    expect(await listInStates(['acting'])).toEqual([]);
    const stay = (await listInStates(['queued'])).find((each) => each.id === id) ?? expect.fail();
    const earlier = { ...stay, stateSince: new Date(0), limitSeconds: 50 };
    expect(await expire(earlier)).toBe(false);
    expect(await expire({ ...stay, limitSeconds: 50 })).toBe(true);
    expect(await database().operations.get(id)).toMatchObject({
      state: 'expired',
      outcome: { kind: 'failure', reason: 'expired', message: expect.stringContaining('the limit is 50 s') },
    });
  });

  test('the same origin is one operation, with any key', async () => {
    const { create } = await setScene(database());
    const origin = `slack:${randomUUID()}`;
    const sent = await Promise.all(
      ['k1', 'k2', undefined].map((key) =>
        create({ request: { ...request, origin }, idempotencyKey: key && `${key}${origin}` }),
      ),
    );
    expect(new Set(sent.map(({ operation }) => operation.id)).size).toBe(1);
    expect(sent.filter(({ created }) => created)).toHaveLength(1);
  });
});
