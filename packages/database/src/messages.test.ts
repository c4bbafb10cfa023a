import { type EventBody, maxWaitingMessages } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { claim, createOperation, record, startActing, startProposing } from './testing/scene.ts';

const totals = { parts: 1, turns: 1, tokens: 1, usd: 0 };
const by = 'Ada';

onEachDatabase((database) => {
  async function newOperation() {
    const { id, organizationId } = await createOperation(database());
    const say = (text: string, idempotencyKey?: string) =>
      database().messages.add({ operationId: id, organizationId, by, text, idempotencyKey });
    return { id, organizationId, say };
  }

  async function startVerifying(id: string): Promise<number> {
    const fence = await startActing(database(), id);
    await database().operations.transition({ id, fence, from: 'acting', to: 'verifying' });
    return fence;
  }

  test('concurrent messages are stored in order without gaps, and appear in the record', async () => {
    const { id, say } = await newOperation();
    const texts = Array.from({ length: 10 }, (_, index) => `words ${index}`);
    const added = await Promise.all(texts.map((text) => say(text)));
    expect(added.map(({ added, isWorked }) => ({ added, isWorked }))).toEqual(
      texts.map(() => ({ added: true, isWorked: false })),
    );
    const said = await database().messages.listSaid({ operationId: id, after: 0 });
    expect(said.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(said.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    expect(await database().messages.listSaid({ operationId: id, after: 8 })).toEqual(said.slice(8));
    const events = (await database().outbox.pendingFor(id)).flatMap(({ payload }) =>
      payload && 'type' in payload && payload.type === 'message.said' ? [payload.message] : [],
    );
    expect(events).toEqual(said);
    expect((await claim(database(), id)).messageCount).toBe(10);
  });

  test('a repeated key returns the same message, also after the end; a different text is rejected', async () => {
    const { id, organizationId, say } = await newOperation();
    const first = await say('with a NUL \0', 'k');
    expect(first).toMatchObject({ added: true, message: { number: 1, text: 'with a NUL \uFFFD' } });
    expect(await say('with a NUL \0', 'k')).toEqual({ ...first, added: false });
    await expect(say('other words', 'k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await database().operations.cancel({ id, organizationId, by });
    expect(await say('with a NUL \0', 'k')).toEqual({ ...first, added: false });
    await expect(say('too late')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('it is cancelled'),
    });
    expect(await database().messages.list(id)).toEqual([first.message]);
  });

  test('operations of other organizations are not found', async () => {
    const { id } = await newOperation();
    const input = { operationId: id, organizationId: 'org_other', by, text: 'hello' };
    await expect(database().messages.add(input)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a message is seen when a recorded turn lists it, and a repeated turn changes nothing', async () => {
    const { id, say } = await newOperation();
    const [one, two] = [await say('one'), await say('two')];
    const turn: EventBody = { type: 'turn.started', turn: 3, round: 1, told: 'one', messages: [1] };
    const [recorded] = await record(database(), id, turn);
    await record(database(), id, turn);
    expect(await database().messages.list(id)).toEqual([
      { ...one.message, seenAt: recorded?.at, seenInTurn: 3 },
      { ...two.message, seenAt: null, seenInTurn: null },
    ]);
  });

  test('the number of unseen messages is limited', async () => {
    const { id, say } = await newOperation();
    for (let number = 1; number <= maxWaitingMessages; number++) await say(`words ${number}`);
    await expect(say('one too many')).rejects.toMatchObject({ code: 'conflict' });
    await record(database(), id, { type: 'turn.started', turn: 1, round: 1, messages: [1, 2] });
    expect(await say('room again')).toMatchObject({ message: { number: maxWaitingMessages + 1 } });
  });

  test('nothing is proposed while a message is unseen, and no message is accepted afterwards', async () => {
    const { id, say } = await newOperation();
    const fence = await startVerifying(id);
    const propose = (delivered: number) =>
      database().operations.transition({ id, fence, delivered, from: 'verifying', to: 'proposing' });
    expect(await say('wait')).toMatchObject({ isWorked: true });
    expect(await database().operations.heartbeat({ id, fence, totals, leaseSeconds: 30 })).toMatchObject({
      messageCount: 1,
    });
    await expect(propose(0)).rejects.toMatchObject({ code: 'messages_pending' });
    await propose(1);
    // Repeated, as after a lost answer.
    await propose(1);
    await expect(say('too late')).rejects.toMatchObject({
      message: expect.stringContaining('it is proposing'),
    });
    const released = { why: 'handed_over', reason: 'worker_stopped', message: '', totals } as const;
    await database().operations.release({ id, fence, from: 'proposing', maxLost: 5, ...released });
    await expect(say('still too late')).rejects.toMatchObject({
      message: expect.stringContaining('its change is about to be proposed'),
    });
  });

  test('an answer is not accepted while a message is unseen', async () => {
    const { id, say } = await newOperation();
    const fence = await startActing(database(), id);
    await say('one more thing');
    const settle = (delivered?: number) =>
      database().operations.settle({
        ...{ id, fence, from: 'acting', totals, outcome: { kind: 'answer', answer: '42' } },
        ...(delivered !== undefined && { delivered }),
      });
    await expect(settle(0)).rejects.toMatchObject({ code: 'messages_pending' });
    expect(await settle(1)).toMatchObject({ state: 'answered' });
  });

  test('a transition without a count of delivered messages is accepted, because the worker must stop anyway', async () => {
    const { id, say } = await newOperation();
    await say('never delivered');
    await startProposing(database(), id);
    expect(await database().messages.list(id)).toMatchObject([{ seenAt: null }]);
  });
});
