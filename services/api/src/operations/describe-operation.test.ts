import { type Event, type EventBody, type Operation, operationSchema } from '@fettle/contract';
import { expect, test } from 'vitest';
import { addDeliveryProblem, describeActivity } from './describe-operation.ts';

const at = '2026-01-01T00:00:00.000Z';
const now = new Date('2026-01-01T00:00:12.000Z');

const operation = (more: Partial<Operation>): Operation =>
  operationSchema.parse({
    ...{
      id: 'op_1',
      state: 'acting',
      kind: 'fix',
      priority: 'medium',
      repository: 'shop',
      requestedBy: 'Ada',
    },
    request: { kind: 'fix', description: 'x', repository: '/srv/shop' },
    ...{ attempts: 1, totals: { parts: 0, turns: 0, tokens: 0, usd: 0 }, outcome: null, waitsFor: null },
    ...{ createdAt: at, stateSince: at, settledAt: null },
    ...more,
  });
const event = (body: EventBody): Event => ({ operationId: 'op_1', position: 1, at, ...body });
const tool = { number: 7, turn: 3, kind: 'tool', callId: 'c', tool: 'run_command', input: {} } as const;

test.each<[string, Partial<Operation>, EventBody | undefined]>([
  ['acting: part 7, run_command, for 12 s', {}, { type: 'part.started', part: tool }],
  [
    'acting (attempt 3): waits for the model (turn 4), for 12 s',
    { attempts: 3 },
    { type: 'turn.started', turn: 4, round: 1 },
  ],
  [
    'acting: waits for the model, try 3: 529: overloaded, for 12 s',
    {},
    { type: 'turn.retried', turn: 4, retry: 2, message: '529: overloaded\nmore', pauseMs: 1 },
  ],
  ['queued: waits for a free worker', { state: 'queued', waitsFor: 'a free worker' }, undefined],
  [
    'failed: npm ci failed',
    { state: 'failed', outcome: { kind: 'failure', reason: 'setup_failed', message: 'npm ci failed\nlog' } },
    undefined,
  ],
  ['answered', { state: 'answered', outcome: { kind: 'answer', answer: '42' } }, undefined],
])('%s', (line, more, last) => {
  expect(describeActivity(operation(more), last ? [event(last)] : [], now)).toBe(line);
});

test('the activity is the running call, not the end of the answer that requested it', () => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const totals = { parts: 8, turns: 3, tokens: 1, usd: 0 };
  const latest = [
    event({ type: 'turn.finished', turn: 3, model: 'm', stopReason: 'tool', usage, totals, durationMs: 1 }),
    event({ type: 'part.started', part: { ...tool, number: 8, tool: 'test' } }),
    event({ type: 'part.started', part: tool }),
  ];
  expect(describeActivity(operation({}), latest, now)).toBe('acting: part 7, run_command, for 12 s');
});

test('a call of an earlier attempt is not shown as running', () => {
  const latest = [
    event({ type: 'attempt.started', attempt: 2, worker: 'w' }),
    event({ type: 'operation.state', from: 'queued', to: 'preparing', attempt: 2 }),
    event({ type: 'part.started', part: tool }),
  ];
  const again = operation({ state: 'preparing', attempts: 2 });
  expect(describeActivity(again, latest, now)).toBe('preparing (attempt 2): working, for 12 s');
});

test.each<[string, Partial<Operation>]>([
  ['queued: waits for Redis, which does not answer', { state: 'queued', waitsFor: 'a free worker' }],
  ['acting: waits for Redis, which does not answer', { state: 'acting' }],
  ['paused: waits for Ada', { state: 'paused', waitsFor: 'Ada' }],
])('%s, while Redis is unreachable', (line, more) => {
  const unreachable = {
    outbox: { isBlocked: () => true },
    redisWatch: { fault: () => 'does not answer' },
    workers: { whyNoneWorks: () => 'none has reported to the api' },
  };
  expect(describeActivity(addDeliveryProblem(operation(more), unreachable), [], now)).toBe(line);
});

test.each<[string, Partial<Operation>]>([
  [
    'queued: waits for a worker; worker-a cannot work: no broker',
    { state: 'queued', waitsFor: 'a free worker' },
  ],
  ['awaiting plan: waits for Ada', { state: 'awaiting_plan', waitsFor: 'Ada' }],
])('%s, while no worker can work', (line, more) => {
  const unable = {
    outbox: { isBlocked: () => false },
    redisWatch: { fault: () => undefined },
    workers: { whyNoneWorks: () => 'worker-a cannot work: no broker' },
  };
  expect(describeActivity(addDeliveryProblem(operation(more), unable), [], now)).toBe(line);
});

test('a cancelled proposal names who cancelled it, not why it was a draft', () => {
  const pullRequest = { number: 1, url: 'u', title: 't' };
  const outcome = { kind: 'proposal', draft: true, branch: 'b', headCommit: 'c', pullRequest } as const;
  const latest = [
    event({ type: 'operation.settled', state: 'cancelled', outcome }),
    event({
      ...{ type: 'operation.state', from: 'awaiting_approval', to: 'cancelled', reason: 'cancelled' },
      message: 'Cancelled by admin.',
    }),
  ];
  const cancelled = operation({ state: 'cancelled', outcome: { ...outcome, message: 'a test fails' } });
  expect(describeActivity(cancelled, latest, now)).toBe('cancelled: Cancelled by admin.');
});
