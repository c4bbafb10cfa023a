import type { Decision, Plan } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { createOperation, startActing } from './testing/scene.ts';

const totals = { parts: 3, turns: 2, tokens: 100, usd: 0 };
const plan: Plan = { tasks: ['add it'], files: ['sum.mjs'], risks: [], estimate: 'ten lines' };

onEachDatabase((database) => {
  async function newOperation() {
    const { id, organizationId } = await createOperation(database());
    const decide = (decision: Decision, version: number, message?: string) =>
      database().plans.decide({
        ...{ id, organizationId, by: 'Ada', decision, version },
        ...(message !== undefined && { message }),
      });
    return { id, organizationId, decide };
  }

  const propose = (id: string, fence: number, change: Partial<Plan> = {}) =>
    database().plans.propose({ id, fence, from: 'acting', plan: { ...plan, ...change }, totals });

  const tail = async (id: string, count: number) =>
    (await database().outbox.pendingFor(id)).slice(-count).map(({ kind, payload }) => ({ kind, payload }));

  test('a plan ends the attempt, and the operation waits without an owner', async () => {
    const { id, organizationId } = await newOperation();
    expect(await database().plans.get(id)).toBeUndefined();
    const fence = await startActing(database(), id);
    await database().operations.pause({ id, organizationId, by: 'Ada' });
    expect(await propose(id, fence)).toEqual({ version: 1 });
    // Repeated, as after a lost answer.
    expect(await propose(id, fence)).toEqual({ version: 1 });
    const operation = await database().operations.get(id);
    expect(operation).toMatchObject({
      ...{ state: 'awaiting_plan', totals, settledAt: null, outcome: null },
      waitsFor: 'a decision about its plan: approve, change or cancel',
    });
    const proposedAt = operation?.stateSince;
    const undecided = { decision: null, decidedBy: null, decidedAt: null, message: null };
    expect(await database().plans.get(id)).toEqual({ version: 1, plan, proposedAt, ...undecided });
    expect(await tail(id, 2)).toEqual([
      { kind: 'event', payload: { type: 'plan.proposed', version: 1, plan } },
      {
        kind: 'event',
        payload: { type: 'operation.state', from: 'acting', to: 'awaiting_plan', attempt: 1 },
      },
    ]);
    expect((await database().operations.listWorked()).map((each) => each.id)).not.toContain(id);
    await expect(
      database().operations.transition({ id, fence, from: 'acting', to: 'verifying' }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an old owner cannot propose a plan', async () => {
    const { id } = await newOperation();
    const fence = await startActing(database(), id);
    const lost = { id, fence, maxLost: 5, isSilent: () => true };
    await database().operations.takeFromLostWorker(lost);
    await startActing(database(), id);
    await expect(propose(id, fence)).rejects.toMatchObject({ code: 'fenced' });
  });

  test('approve: the operation is queued again with one job, and lost attempts are reset', async () => {
    const { id, decide } = await newOperation();
    const first = await startActing(database(), id);
    await database().operations.takeFromLostWorker({ id, fence: first, maxLost: 5, isSilent: () => true });
    await propose(id, await startActing(database(), id));
    const { operation, plan: decided } = await decide('approve', 1);
    expect(operation).toMatchObject({ state: 'queued', attempts: 2, waitsFor: 'a free worker' });
    expect(decided).toMatchObject({ version: 1, decision: 'approve', decidedBy: 'Ada', message: null });
    const written = await tail(id, 3);
    expect(written).toEqual([
      { kind: 'event', payload: { type: 'plan.decided', version: 1, decision: 'approve', by: 'Ada' } },
      {
        kind: 'event',
        payload: {
          ...{ type: 'operation.state', from: 'awaiting_plan', to: 'queued' },
          message: 'Ada approved plan 1.',
        },
      },
      { kind: 'job', payload: expect.objectContaining({ attempt: 3, notBefore: null }) },
    ]);
    expect((await decide('approve', 1)).plan).toEqual(decided);
    expect(await tail(id, 3)).toEqual(written);
    const fence = await startActing(database(), id);
    const lost = { id, fence, maxLost: 2, isSilent: () => true };
    expect(await database().operations.takeFromLostWorker(lost)).toMatchObject({ state: 'queued' });
  });

  test('change: the message is kept, the next plan gets a new version, and the old one cannot be approved', async () => {
    const { id, decide } = await newOperation();
    await propose(id, await startActing(database(), id));
    await decide('change', 1, 'smaller, please \0');
    await expect(decide('approve', 1)).rejects.toMatchObject({ code: 'conflict' });
    expect(await propose(id, await startActing(database(), id), { tasks: ['less'] })).toEqual({ version: 2 });
    await expect(decide('approve', 1)).rejects.toMatchObject({
      ...{ code: 'conflict', field: 'version' },
      message: expect.stringContaining('is version 2'),
    });
    await expect(decide('approve', 3)).rejects.toMatchObject({ code: 'conflict', field: 'version' });
    // Repeated, as after a lost answer.
    expect((await decide('change', 1, 'smaller, please \0')).operation.state).toBe('awaiting_plan');
    expect((await decide('approve', 2, 'good')).operation.state).toBe('queued');
    expect(await database().plans.get(id)).toMatchObject({ version: 2, message: 'good' });
  });

  test('concurrent approvals queue the operation once', async () => {
    const { id, decide } = await newOperation();
    await propose(id, await startActing(database(), id));
    await Promise.all(Array.from({ length: 30 }, () => decide('approve', 1)));
    const jobs = (await database().outbox.pendingFor(id)).filter(({ kind }) => kind === 'job');
    expect(jobs).toHaveLength(2);
  });

  test('cancel: the operation ends, and no further decision is possible', async () => {
    const { id, decide } = await newOperation();
    await expect(decide('approve', 1)).rejects.toMatchObject({
      message: expect.stringContaining('it has no plan'),
    });
    await propose(id, await startActing(database(), id));
    const { operation } = await decide('cancel', 1);
    expect(operation).toMatchObject({
      state: 'cancelled',
      outcome: { kind: 'failure', reason: 'cancelled', message: 'Cancelled by Ada.' },
    });
    await expect(decide('approve', 1)).rejects.toMatchObject({
      message: expect.stringContaining('is cancelled: no plan is waiting'),
    });
  });

  test('operations of other organizations are not found', async () => {
    const { id } = await newOperation();
    const input = { id, organizationId: 'org_other', by: 'Eve', version: 1, decision: 'approve' } as const;
    await expect(database().plans.decide(input)).rejects.toMatchObject({ code: 'not_found' });
  });
});
