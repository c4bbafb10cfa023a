import type { Outcome } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { createOperation, record, startActing, startProposing } from '../testing/scene.ts';

const totals = { parts: 3, turns: 2, tokens: 100, usd: 0 };
const proposal: Outcome = {
  ...{ kind: 'proposal', draft: false, branch: 'agent/a', headCommit: 'a'.repeat(40) },
  pullRequest: { number: 1, url: '/v1/pull-requests/1', title: 'Add up' },
};
const failed: Outcome = { kind: 'failure', reason: 'budget_turns', message: 'no turns left' };

onEachDatabase((database) => {
  let repositoryId = '';

  async function proposed() {
    const { id, organizationId, repository } = await createOperation(database());
    repositoryId = repository.id;
    const fence = await startProposing(database(), id);
    await database().operations.settle({ id, fence, from: 'proposing', outcome: proposal, totals });
    const revise = (more: object = {}) =>
      database().operations.revise({
        ...{ id, organizationId, by: 'Ada', text: 'write a note', maxRevisions: 5, ...more },
      });
    return { id, organizationId, fence, revise };
  }

  test('two requests for changes at once start one revision', async () => {
    const { id, revise } = await proposed();
    const results = await Promise.allSettled([revise({ text: 'one' }), revise({ text: 'two' })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await database().operations.get(id)).toMatchObject({ state: 'queued', revision: 2 });
    expect(await database().messages.list(id)).toHaveLength(1);
  });

  test('the same key starts one revision, also while it is worked on', async () => {
    const { id, revise } = await proposed();
    await revise({ idempotencyKey: 'k' });
    await startActing(database(), id);
    expect(await revise({ idempotencyKey: 'k' })).toMatchObject({ state: 'acting', revision: 2 });
    await expect(revise({ idempotencyKey: 'k', text: 'other' })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test.each(['settled', 'lost too often', 'expired'])(
    'a revision that %s leaves the proposal',
    async (how) => {
      const { id, revise } = await proposed();
      await revise();
      const fence = await startActing(database(), id);
      const { operations } = database();
      if (how === 'settled') await operations.settle({ id, fence, from: 'acting', outcome: failed, totals });
      if (how === 'lost too often')
        await operations.takeFromLostWorker({ id, fence, maxLost: 1, isSilent: () => true });
      if (how === 'expired') {
        const stay = (await operations.listInStates(['acting'])).find((each) => each.id === id);
        if (stay) await operations.expire({ ...stay, limitSeconds: 1 });
      }
      expect(await operations.get(id)).toMatchObject({
        ...{ state: 'awaiting_approval', revision: 2, outcome: proposal },
      });
      const { unwanted } = await operations.listLeftovers(id);
      expect(unwanted).toBe(false);
      const types = (await database().outbox.pendingFor(id)).map(
        ({ payload }) => (payload as { type?: string })?.type,
      );
      expect(types.slice(-3)).toEqual(['revision.ended', 'operation.state', 'operation.settled']);
      expect(await revise({ text: 'again' })).toMatchObject({ state: 'queued', revision: 3 });
    },
  );

  test.each(['cancelled', 'lost too often'])(
    'a pull request that was updated before it %s is the outcome',
    async (how) => {
      const { id, organizationId, revise } = await proposed();
      await revise();
      const fence = await startProposing(database(), id);
      const head = 'b'.repeat(40);
      const texts = { branch: 'agent/a', headCommit: head, title: 'Add up', body: '', draft: false };
      await record(database(), id, { type: 'proposal.committed', ...texts, proof: 'proven' });
      await database().pullRequests.open({
        ...{ operationId: id, repositoryId, fence, ...texts, baseBranch: 'main', baseCommit: 'c'.repeat(40) },
        ...{ stat: { files: 1, added: 1, deleted: 0 }, diff: '', commits: [] },
      });
      const { operations } = database();
      if (how === 'cancelled') await operations.cancel({ id, organizationId, by: 'Ada' });
      else await operations.takeFromLostWorker({ id, fence, maxLost: 1, isSilent: () => true });
      expect(await operations.get(id)).toMatchObject({
        state: how === 'cancelled' ? 'cancelled' : 'awaiting_approval',
        outcome: { kind: 'proposal', headCommit: head, proof: 'proven' },
      });
    },
  );

  test('an old owner cannot settle, and a proposal needs a push', async () => {
    const { id, fence, revise } = await proposed();
    await revise();
    const next = await startActing(database(), id);
    const settle = (by: number, outcome: Outcome) =>
      database().operations.settle({ id, fence: by, from: 'acting', outcome, totals });
    await expect(settle(fence, failed)).rejects.toMatchObject({ code: 'fenced' });
    await expect(settle(next, proposal)).rejects.toMatchObject({ code: 'conflict' });
    expect(await database().operations.get(id)).toMatchObject({ state: 'acting' });
  });

  test('cancelled during a revision, an operation ends with its proposal', async () => {
    const { id, organizationId, revise } = await proposed();
    await revise();
    const { operation } = await database().operations.cancel({ id, organizationId, by: 'Ada' });
    expect(operation).toMatchObject({ state: 'cancelled', outcome: proposal });
    await expect(revise()).rejects.toMatchObject({ code: 'conflict' });
  });
});
