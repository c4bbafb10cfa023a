import type { Event, EventBody } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { createOperation } from './testing/scene.ts';

const at = '2026-11-16T01:02:03.004Z';
const tool = {
  number: 1,
  turn: 1,
  kind: 'tool',
  callId: 'c1',
  tool: 'edit',
  input: { z: 1, a: '\0' },
} as const;
const finish = { status: 'ok' as const, output: 'half \ud800', durationMs: 1.5, programMs: 0, changed: [] };
const bodies: EventBody[] = [
  { type: 'turn.started', round: 1, turn: 1 },
  { type: 'part.started', part: tool },
  { type: 'part.finished', part: { ...tool, ...finish, checkpoint: 'abc' } },
  { type: 'part.finished', part: { number: 2, turn: 1, kind: 'text', text: 'done' } },
];

onEachDatabase((database) => {
  const setUp = async () => {
    const { id } = await createOperation(database());
    const events = bodies.map(
      (body, index): Event => ({ operationId: id, position: index + 1, at, ...body }),
    );
    return { id, events };
  };

  test('a different event at a taken position is rejected, the same event is not', async () => {
    const { id, events } = await setUp();
    await database().events.append(id, events);
    await database().events.append(id, events);
    const [first, ...rest] = events as [Event, ...Event[]];
    const other = { ...first, ...bodies[3] } as Event;
    await expect(database().events.append(id, [other, ...rest])).rejects.toMatchObject({ code: 'conflict' });
    expect(await database().events.list({ operationId: id })).toEqual(events);
    expect(await database().operations.listStreams()).toContainEqual({ id, fence: 0, position: 4 });
  });

  test('a repeated event is recognised, however deeply the input of its call is nested', async () => {
    const { id } = await setUp();
    const input = JSON.parse(`${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`);
    const deep: Event = {
      ...{ operationId: id, position: 1, at, type: 'part.started' },
      part: { ...tool, input },
    };
    await database().events.append(id, [deep]);
    await database().events.append(id, [deep]);
    expect(await database().events.lastPosition(id)).toBe(1);
  });

  test('events after a position are returned unchanged', async () => {
    const { id, events } = await setUp();
    await database().events.append(id, events);
    expect(await database().events.list({ operationId: id })).toEqual(events);
    expect(await database().events.list({ operationId: id, after: 1, limit: 2 })).toEqual(events.slice(1, 3));
    const [, , finished] = await database().events.list({ operationId: id });
    expect(JSON.stringify(finished)).toBe(JSON.stringify(events[2]));
  });

  test('stored events are ignored, also with concurrent appends', async () => {
    const { id, events } = await setUp();
    await Promise.all([
      database().events.append(id, events.slice(0, 2)),
      database().events.append(id, events.slice(0, 2)),
      database().events.append(id, events.slice(0, 2)),
    ]);
    await database().events.append(id, events);
    expect(await database().events.lastPosition(id)).toBe(4);
    expect(await database().events.list({ operationId: id })).toEqual(events);
  });

  test('a gap is rejected, and nothing is stored', async () => {
    const { id, events } = await setUp();
    await expect(database().events.append(id, events.slice(1))).rejects.toMatchObject({ code: 'conflict' });
    const torn = events.filter(({ position }) => position !== 3);
    await expect(database().events.append(id, torn)).rejects.toMatchObject({ code: 'conflict' });
    expect(await database().events.lastPosition(id)).toBe(0);
    expect(await database().events.listParts(id)).toEqual([]);
    await expect(database().events.append('op_none', events)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('parts are projected from their events', async () => {
    const { id, events } = await setUp();
    await database().events.append(id, events.slice(0, 2));
    const started = { number: 1, turn: 1, kind: 'tool', tool: 'edit', startedAt: at, startedPosition: 2 };
    expect(await database().events.listParts(id)).toMatchObject([{ ...started, status: 'started' }]);
    await database().events.append(id, events.slice(2));
    const end = { status: 'ok', finishedAt: at };
    expect(await database().events.listParts(id)).toMatchObject([
      { ...started, ...end, durationMs: 1.5, checkpoint: 'abc', finishedPosition: 3 },
      { number: 2, turn: 1, kind: 'text', tool: null, startedAt: null, ...end, finishedPosition: 4 },
    ]);
  });

  test('a call is open from its start to its end', async () => {
    const { id, events } = await setUp();
    const second: Event = {
      ...{ operationId: id, position: 3, at, type: 'part.started' },
      part: { ...tool, number: 2, callId: 'c2' },
    };
    await database().events.append(id, [...events.slice(0, 2), second]);
    expect(await database().events.listOpenParts(id)).toEqual([tool, second.part]);
    await database().events.append(
      id,
      events.slice(2, 3).map((event) => ({ ...event, position: 4 })),
    );
    expect(await database().events.listOpenParts(id)).toEqual([second.part]);
  });

  test('the outbox is ordered, its keys are unique, and delivered entries are removed', async () => {
    const { id } = await setUp();
    const { outbox } = database();
    const entries = await outbox.pendingFor(id);
    expect(entries.map(({ key }) => key)).toEqual(entries.map((entry) => `outbox:${entry.id}`));
    const all = await outbox.pending({ limit: 1_000 });
    expect(all.map((entry) => entry.id)).toEqual(all.map((entry) => entry.id).toSorted((a, b) => a - b));
    expect(all.filter(({ operationId }) => operationId === id)).toEqual(entries);
    expect(await outbox.pending({ limit: 1 })).toEqual(all.slice(0, 1));
    const others = all.filter(({ operationId }) => operationId !== id);
    expect(await outbox.pending({ limit: 1_000, except: [id] })).toEqual(others);
    await outbox.markDelivered(entries.slice(0, 1).map((entry) => entry.id));
    expect(await outbox.pendingFor(id)).toEqual(entries.slice(1));
  });

  test('storing an event removes its outbox entry, and no other', async () => {
    const { id } = await setUp();
    const other = await setUp();
    const { outbox, events } = database();
    const entries = await outbox.pendingFor(id);
    const created = entries.find(({ kind }) => kind === 'event') ?? expect.fail();
    const [foreign] = await outbox.pendingFor(other.id);
    const { at, payload } = created as { at: string; payload: EventBody };
    const gap = { ...payload, operationId: id, position: 7, at };
    await expect(events.append(id, [gap], [created.key])).rejects.toMatchObject({ code: 'conflict' });
    expect(await outbox.pendingFor(id)).toEqual(entries);
    await events.append(id, [{ ...gap, position: 1 }], [created.key, foreign?.key ?? '', '3.1']);
    expect(await outbox.pendingFor(id)).toEqual(entries.filter((entry) => entry !== created));
    expect(await outbox.pendingFor(other.id)).toContainEqual(foreign);
  });

  test('a long outbox is read in pages', async () => {
    await setUp();
    const all = await database().outbox.pending({ limit: 1_000 });
    expect(await database().outbox.pending({ limit: 1, after: all[0]?.id ?? 0 })).toEqual(all.slice(1, 2));
  });
});
