import type { Denial, Event, FinishedToolPart } from '@fettle/contract';
import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { claim, createOperation } from './testing/scene.ts';

const curl: Denial = {
  kind: 'command',
  subject: 'curl x',
  token: 'curl',
  rule: 'program',
  reason: 'there is no network',
  instead: 'leave it out',
};
const env: Denial = {
  kind: 'path',
  subject: '.env',
  token: '.env',
  rule: 'environment-file',
  reason: 'no\0',
};

function partOf(number: number, denials: Denial[]): FinishedToolPart {
  return {
    ...{ number, turn: 1, kind: 'tool', callId: `c${number}`, tool: 'run_command', input: {} },
    ...{ status: 'denied', output: 'no', durationMs: 1, programMs: 0, changed: [], denials },
  };
}

onEachDatabase((database) => {
  async function newOperation(start: string) {
    const { id, organizationId } = await createOperation(database());
    await claim(database(), id);
    let at = Date.parse(start);
    async function deny(...denials: Denial[]): Promise<Event> {
      const position = (await database().events.lastPosition(id)) + 1;
      at += 60_000;
      const event: Event = {
        ...{ operationId: id, position, at: new Date(at).toISOString() },
        ...{ type: 'part.finished', part: partOf(position, denials) },
      };
      await database().events.append(id, [event]);
      return event;
    }
    return { id, organizationId, deny };
  }
  const all = { limit: 50, offset: 0 };

  test('the most frequent denials come first, with the last one as the example', async () => {
    const { id, organizationId, deny } = await newOperation('2026-01-01');
    await deny(curl);
    await deny(env, curl);
    const last = await deny({ ...curl, subject: 'ls; curl y' });
    // The same events may be appended twice.
    await database().events.append(id, [last]);
    const report = await database().denials.report({ organizationId, ...all });
    expect(report).toEqual({
      since: null,
      total: 4,
      more: false,
      groups: [
        {
          ...{ kind: 'command', rule: 'program', token: 'curl', count: 3, operations: 1 },
          lastAt: last.at,
          example: {
            ...{ operationId: id, part: last.position, subject: 'ls; curl y' },
            ...{ reason: 'there is no network', instead: 'leave it out' },
          },
        },
        expect.objectContaining({
          ...{ kind: 'path', rule: 'environment-file', count: 1 },
          example: { operationId: id, part: last.position - 1, subject: '.env', reason: 'no\uFFFD' },
        }),
      ],
    });
  });

  test('the report is limited by time, page and organization', async () => {
    const { organizationId, deny } = await newOperation('2027-01-01');
    const first = await deny(curl);
    const second = await deny(env);
    const report = (more: object) =>
      database().denials.report({ organizationId, since: first.at, ...all, ...more });
    expect(await report({ since: second.at })).toMatchObject({ total: 1, groups: [{ token: '.env' }] });
    expect(await report({ limit: 1 })).toMatchObject({ total: 2, more: true, groups: [{ token: '.env' }] });
    expect(await report({ limit: 1, offset: 1 })).toMatchObject({
      more: false,
      groups: [{ token: 'curl', lastAt: first.at }],
    });
    expect(await report({ organizationId: 'org_other' })).toMatchObject({ total: 0, groups: [] });
  });
});
