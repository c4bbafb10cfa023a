import { planMissing } from '@fettle/agent';
import type { Event, EventBody, Plan } from '@fettle/contract';
import { expect, test } from 'vitest';
import { readPlanProgress } from './plan-progress.ts';

const plan: Plan = { tasks: ['add it'], files: [], risks: [], estimate: 'small' };
const at = '2026-01-01T00:00:00.000Z';
const read = (...bodies: EventBody[]) =>
  readPlanProgress(
    bodies.map((body, index): Event => ({ operationId: 'op', position: index + 1, at, ...body })),
  );
const turn = (number: number, told?: string): EventBody => ({
  ...{ type: 'turn.started', turn: number, round: 1 },
  ...(told !== undefined && { told }),
});
const call = (status: 'ok' | 'failed', input: unknown = plan): EventBody => ({
  type: 'part.finished',
  part: {
    ...{ number: 1, turn: 1, kind: 'tool', callId: 'c', tool: 'propose_plan', input },
    ...{ status, output: '', durationMs: 1, programMs: 0, changed: [] },
  },
});
const proposed: EventBody = { type: 'plan.proposed', version: 1, plan };
const decided = (decision: 'approve' | 'change'): EventBody => ({
  ...{ type: 'plan.decided', version: 1, decision, by: 'Ada', message: 'smaller' },
});
const nothing = { isApproved: false, unsubmitted: undefined, userMessage: undefined, reminders: 0 };

test('a plan counts as unsubmitted until it is proposed', () => {
  expect(read(turn(1), call('failed', {}))).toEqual(nothing);
  expect(read(turn(1), call('ok'))).toEqual({ ...nothing, unsubmitted: plan });
  expect(read(turn(1), call('ok'), proposed)).toEqual(nothing);
});

test('a decision is the next user message until a turn has started with it', () => {
  const before = [turn(1), call('ok'), proposed];
  const approved = read(...before, decided('approve'));
  expect(approved).toEqual({
    ...{ ...nothing, isApproved: true },
    userMessage:
      'Ada has approved plan 1. Carry it out now; all tools are available.\n\nAda says:\n\nsmaller',
  });
  expect(read(...before, decided('approve'), turn(2))).toEqual({ ...nothing, isApproved: true });
  expect(read(...before, decided('change')).userMessage).toMatch(
    /^Ada wants plan 1 changed.*smaller.*propose_plan/s,
  );
  expect(read(...before, decided('change'), turn(2), call('ok')).unsubmitted).toEqual(plan);
});

test('reminders are counted once per turn since the last decision', () => {
  const reminded = [turn(1), turn(2, planMissing), turn(2, planMissing), turn(3, `${planMissing} more`)];
  expect(read(...reminded).reminders).toBe(2);
  expect(read(...reminded, call('ok'), proposed, decided('change'), turn(4)).reminders).toBe(0);
});
