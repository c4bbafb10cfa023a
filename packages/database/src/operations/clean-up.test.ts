import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { createOperation, startProposing } from '../testing/scene.ts';

onEachDatabase((database) => {
  const orders = async (id: string) =>
    (await database().operations.listCleanUps()).filter(({ operationId }) => operationId === id);

  async function newOperation() {
    const { id, organizationId } = await createOperation(database());
    return { id, cancel: () => database().operations.cancel({ id, organizationId, by: 'Ada' }) };
  }

  async function cancelled(): Promise<string> {
    const { id, cancel } = await newOperation();
    await startProposing(database(), id);
    await cancel();
    return id;
  }

  test('an operation without an attempt needs no clean-up', async () => {
    const { id, cancel } = await newOperation();
    await cancel();
    expect(await orders(id)).toEqual([]);
  });

  test('a clean-up is due until a check is reported, and again after a pause', async () => {
    const id = await cancelled();
    const note = (look: number, found: 'gone' | 'left') =>
      database().operations.noteCleanUp({ id, look, found });
    expect(await orders(id)).toMatchObject([{ attempt: 3 }]);
    expect(await orders(id)).toMatchObject([{ attempt: 3 }]);
    expect(await note(0, 'gone')).toBe('open');
    expect(await orders(id)).toEqual([]);
    expect(await database().operations.listLeftovers(id)).toMatchObject({ unwanted: true, look: 1 });
    // A repeated report counts once.
    await note(0, 'left');
    for (const look of [1, 2, 3, 4]) expect(await note(look, 'gone')).toBe('open');
    expect(await note(5, 'left')).toBe('open');
    expect(await note(6, 'gone')).toBe('done');
    expect(await database().operations.listLeftovers(id)).toMatchObject({ look: 7 });
  });

  test('one check is enough if nothing was pushed', async () => {
    const id = await cancelled();
    expect(await database().operations.noteCleanUp({ id, look: 0, found: 'nothing_pushed' })).toBe('done');
    expect(await orders(id)).toEqual([]);
  });

  test('a failure needs a clean-up, a proposal does not', async () => {
    const totals = { parts: 1, turns: 1, tokens: 1, usd: 0 };
    const { id } = await newOperation();
    const fence = await startProposing(database(), id);
    const outcome = { kind: 'failure' as const, reason: 'checkpoint_lost' as const, message: 'lost' };
    await database().operations.settle({ id, fence, from: 'proposing', outcome, totals });
    expect(await orders(id)).toMatchObject([{ operationId: id }]);
    const other = await newOperation();
    const proposal = {
      ...{ kind: 'proposal' as const, draft: false, branch: 'agent/x', headCommit: 'a'.repeat(40) },
      pullRequest: { number: 1, url: '/v1/pull-requests/1', title: 'x' },
    };
    const otherFence = await startProposing(database(), other.id);
    const settled = { id: other.id, fence: otherFence, from: 'proposing' as const, totals };
    await database().operations.settle({ ...settled, outcome: proposal });
    await other.cancel();
    expect(await orders(other.id)).toEqual([]);
    expect(await database().operations.listLeftovers(other.id)).toMatchObject({ unwanted: false });
  });
});
