import type { Outcome } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { createOperation, startActing, startProposing } from '../testing/scene.ts';

const totals = { parts: 3, turns: 2, tokens: 100, usd: 0 };
const proposal: Outcome = {
  ...{ kind: 'proposal', draft: false, branch: 'agent/a', headCommit: 'a'.repeat(40) },
  pullRequest: { number: 1, url: '/v1/pull-requests/1', title: 'Add up' },
};

onEachDatabase((database) => {
  async function proposed() {
    const { id, organizationId } = await createOperation(database());
    const fence = await startProposing(database(), id);
    await database().operations.settle({ id, fence, from: 'proposing', outcome: proposal, totals });
    const follow = (now: 'merged' | 'closed' | 'open') =>
      database().operations.followPullRequest({ id, now, message: `it is ${now}` });
    return { id, organizationId, follow };
  }

  test('a pull request that people merge, close or reopen moves its operation, once for each change', async () => {
    const { id, follow } = await proposed();
    expect(await follow('open')).toMatchObject({ changed: false });
    expect(await follow('closed')).toMatchObject({ changed: true, operation: { state: 'rejected' } });
    expect(await follow('closed')).toMatchObject({ changed: false });
    expect(await follow('open')).toMatchObject({ changed: true, operation: { state: 'awaiting_approval' } });
    expect(await follow('closed')).toMatchObject({ changed: true });
    expect(await follow('merged')).toMatchObject({ changed: true, operation: { state: 'merged' } });
    expect(await follow('merged')).toMatchObject({ changed: false });
    const pending = await database().outbox.pendingFor(id);
    const states = pending.flatMap(({ payload }) =>
      payload && 'type' in payload && payload.type === 'operation.state' ? [payload.to] : [],
    );
    // The second time, nobody noticed that it was reopened.
    const ends = ['rejected', 'awaiting_approval', 'rejected', 'awaiting_approval', 'merged'];
    expect(states.slice(-5)).toEqual(ends);
    expect(await database().operations.get(id)).toMatchObject({ outcome: proposal });
  });

  test('a running revision ends first, and its worker owns nothing any more', async () => {
    const { id, organizationId, follow } = await proposed();
    const revise = { id, organizationId, by: 'Ada', text: 'a note', maxRevisions: 5 };
    await database().operations.revise(revise);
    const fence = await startActing(database(), id);
    expect(await follow('merged')).toMatchObject({ wasWorked: true, operation: { state: 'merged' } });
    await expect(
      database().operations.heartbeat({ id, fence, leaseSeconds: 30, totals }),
    ).rejects.toMatchObject({
      code: 'fenced',
    });
    const pending = await database().outbox.pendingFor(id);
    const types = pending.flatMap(({ payload }) => (payload && 'type' in payload ? [payload.type] : []));
    expect(types).toContain('revision.ended');
  });

  test('an operation without a proposal, or one that has ended, stays as it is', async () => {
    const { id } = await createOperation(database());
    const change = { id, now: 'closed' as const, message: 'closed' };
    expect(await database().operations.followPullRequest(change)).toMatchObject({
      ...{ changed: false, operation: { state: 'queued' } },
    });
    const other = await proposed();
    await database().operations.cancel({ id: other.id, organizationId: other.organizationId, by: 'Ada' });
    for (const now of ['merged', 'open'] as const)
      expect(await other.follow(now)).toMatchObject({ changed: false, operation: { state: 'cancelled' } });
  });
});
