import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { createOperation } from '../testing/scene.ts';

onEachDatabase((database) => {
  test('a delivery is received once, waits until its effect is done, and keeps no content', async () => {
    const { forgeEvents } = database();
    const id = randomUUID();
    const received = await Promise.all(
      Array.from({ length: 5 }, () => forgeEvents.receive({ id, event: 'push', payload: '{"a":1}' })),
    );
    expect(received.toSorted()).toEqual([false, false, false, false, true]);
    expect(await forgeEvents.findWaiting(id)).toEqual({ id, event: 'push', payload: '{"a":1}', tries: 0 });
    expect(await forgeEvents.listDue(1_000)).toContain(id);
    await forgeEvents.delay({ id, untilMs: Date.now() + 60_000, note: 'GitHub is down' });
    expect(await forgeEvents.listDue(1_000)).not.toContain(id);
    const effect = `comment:${id}`;
    expect(await forgeEvents.hasEffect(effect)).toBe(false);
    await forgeEvents.end({ id, state: 'done', note: 'it was done', effect });
    await forgeEvents.end({ id, state: 'done', note: 'again', effect });
    expect(await forgeEvents.hasEffect(effect)).toBe(true);
    expect(await forgeEvents.findWaiting(id)).toBeUndefined();
    expect(await forgeEvents.listUnknown([id, 'other'])).toEqual(['other']);
    expect((await forgeEvents.count()).states.done).toBeGreaterThan(0);
  });

  test('old deliveries are forgotten, but not those that wait', async () => {
    const { forgeEvents } = database();
    const [done, waiting] = [randomUUID(), randomUUID()];
    for (const id of [done, waiting]) await forgeEvents.receive({ id, event: 'push', payload: '{}' });
    await forgeEvents.end({ id: done, state: 'done', note: 'done' });
    await forgeEvents.forget(new Date(Date.now() + 1_000));
    expect(await forgeEvents.listUnknown([done, waiting])).toEqual([done]);
  });

  test('feedback has one batch, however often it is formed', async () => {
    const { id } = await createOperation(database());
    const { feedback } = database();
    const base = { operationId: id, author: 'bob', text: 'it', items: [], dueAt: new Date() };
    const [first, second, check] = [`review:${id}:1`, `review:${id}:2`, `check:${id}`] as const;
    for (const key of [first, first, second]) await feedback.add({ ...base, key, kind: 'review' });
    await feedback.add({ ...base, key: check, kind: 'check' });
    // What arrives within one millisecond has no order.
    const keys = (await feedback.listOpen(id)).map(({ key }) => key);
    expect(keys.toSorted()).toEqual([check, first, second]);
    expect(await feedback.countRepairs(id)).toBe(0);
    for (let times = 0; times < 2; times++) await feedback.batch({ keys: [first, check], batch: first });
    await expect(feedback.batch({ keys: [check, second], batch: second })).rejects.toThrow('has changed');
    await feedback.noteRevision(first, 2);
    const open = await feedback.listOpen(id);
    expect(open.map(({ batch, revision }) => ({ batch, revision }))).toContainEqual({
      batch: first,
      revision: 2,
    });
    expect(await feedback.countRepairs(id)).toBe(1);
    await feedback.close([first, second, check]);
    expect(await feedback.listOpen(id)).toEqual([]);
  });

  test('a reply is stored once and leaves the list when it is posted, refused or delayed', async () => {
    const { repository } = await createOperation(database());
    const { replies } = database();
    const keys = ['a', 'b', 'c'].map((name) => `${name}:${repository.id}`);
    const due = async () =>
      (await replies.listDue(1_000)).map(({ key }) => key).filter((key) => keys.includes(key));
    for (const key of [...keys, ...keys])
      await replies.add({ key, repositoryId: repository.id, kind: 'comment', number: 1, body: 'hello' });
    expect((await due()).toSorted()).toEqual(keys);
    const [a = '', b = '', c = ''] = keys;
    await replies.end(a, { postedAt: new Date() });
    await replies.end(b, { failure: 'the issue is locked' });
    await replies.end(c, { notBefore: new Date(Date.now() + 60_000) });
    expect(await due()).toEqual([]);
  });

  test('a person is known by the name of the account, without regard to case', async () => {
    const { organizationId } = await createOperation(database());
    const login = `Bob-${randomUUID().slice(0, 8)}`;
    const found = await Promise.all(
      [login, login.toLowerCase(), login].map((each) =>
        database().people.ensureLogin({ organizationId, login: each }),
      ),
    );
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found[0]?.email).toBeNull();
  });

  test('the comment of an operation is due at first, while it works, and after each change', async () => {
    const { id, repository } = await createOperation(database());
    const { threads } = database();
    for (let times = 0; times < 2; times++)
      await threads.open({
        operationId: id,
        repositoryId: repository.id,
        number: 3,
        reviewId: 5_000_000_000,
      });
    const show = async (before: Date) =>
      (await threads.listToShow({ before, limit: 1_000 })).find(({ operation }) => operation.id === id);
    const soon = new Date(Date.now() + 60_000);
    expect(await show(new Date())).toMatchObject({
      thread: { repository: 'shop', number: 3, reviewId: 5_000_000_000, commentId: undefined },
      operation: { state: 'queued' },
    });
    await threads.note(id, { commentId: 6_000_000_000, shown: 'text', shownAt: new Date() });
    expect(await show(new Date(Date.now() - 5_000))).toBeUndefined();
    expect(await show(soon)).toMatchObject({ thread: { commentId: 6_000_000_000, shown: 'text' } });
    const { organizationId } = repository;
    await database().operations.cancel({ id, organizationId, by: 'Ada' });
    expect(await show(soon)).toMatchObject({ operation: { state: 'cancelled' } });
    await threads.note(id, { commentId: undefined, shown: 'the end', shownAt: soon });
    expect(await show(new Date(soon.getTime() + 1))).toBeUndefined();
    const place = { repositoryId: repository.id, number: 3 };
    expect((await threads.findOperation(place))?.id).toBe(id);
    expect(await threads.findOperation({ ...place, inStates: ['queued'] })).toBeUndefined();
  });
});
