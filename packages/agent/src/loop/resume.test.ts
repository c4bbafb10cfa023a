import type { Event, EventBody, FinishedToolPart, StartedToolPart } from '@fettle/contract';
import { expect, test } from 'vitest';
import { interruptedOutput, resume } from './resume.ts';

const at = '2026-01-01T00:00:00.000Z';
const events = (...bodies: EventBody[]): Event[] =>
  bodies.map((body, index) => ({ operationId: 'op', position: index + 1, at, ...body }));

const started = (turn: number, told?: string, round = 1): EventBody => ({
  type: 'turn.started',
  turn,
  round,
  ...(told !== undefined && { told }),
});
const finished = (turn: number, stopReason = 'tool', parts = turn): EventBody => ({
  type: 'turn.finished',
  turn,
  model: 'm',
  stopReason,
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  totals: { parts, turns: turn, tokens: 10 * turn, usd: 0 },
  durationMs: 1,
});
const tool = (number: number, turn: number): StartedToolPart => ({
  ...{ number, turn, kind: 'tool', callId: `call${number}`, tool: 'read_file' },
  input: { path: `f${number}` },
});
const call = (part: StartedToolPart): EventBody => ({ type: 'part.started', part });
const result = (part: StartedToolPart, more: Partial<FinishedToolPart> = {}): EventBody => ({
  type: 'part.finished',
  part: {
    ...part,
    status: 'ok',
    output: `of ${part.number}`,
    durationMs: 1,
    programMs: 0,
    changed: [],
    ...more,
  },
});
const text = (number: number, turn: number, words: string): EventBody => ({
  type: 'part.finished',
  part: { number, turn, kind: 'text', text: words },
});
const toolBlock = ({ callId, tool: name, input }: StartedToolPart) => ({
  kind: 'tool',
  callId,
  tool: name,
  input,
});

test('without events there is nothing to resume', () => {
  const { round, end, start, conversation } = resume([]);
  expect({ round, end, start, messages: conversation.messages }).toEqual({
    ...{ round: 0, end: undefined, messages: [] },
    start: { userMessage: undefined, messages: [], cutAnswers: 0 },
  });
});

test('a turn without an answer is asked again with the same user message', () => {
  const { round, start, conversation } = resume(events(started(1, 'the request')));
  expect({ round, start, messages: conversation.messages }).toEqual({
    round: 1,
    start: { userMessage: 'the request', messages: [], cutAnswers: 0 },
    messages: [],
  });
});

test('the conversation is rebuilt in order, with unchanged answers of the model', () => {
  const [a, b] = [tool(2, 1), tool(3, 1)];
  const thought = { type: 'thinking', thinking: 'hm', signature: 's' };
  const { conversation, start, interrupted, checkpoint } = resume(
    events(
      started(1, 'the request'),
      { type: 'part.finished', part: { number: 1, turn: 1, kind: 'reasoning', text: 'hm', block: thought } },
      ...[call(a), call(b), finished(1, 'tool', 3)],
      ...[result(a, { checkpoint: 'c1' }), result(b, { status: 'failed', output: 'no such file' })],
    ),
  );
  expect(conversation.messages).toEqual([
    { role: 'user', items: [{ kind: 'text', text: 'the request' }] },
    {
      role: 'assistant',
      turn: 1,
      blocks: [{ kind: 'reasoning', text: 'hm', block: thought }, toolBlock(a), toolBlock(b)],
    },
    {
      role: 'user',
      items: [
        { kind: 'result', callId: 'call2', output: 'of 2', isError: false },
        { kind: 'result', callId: 'call3', output: 'no such file', isError: true },
      ],
    },
  ]);
  expect(conversation.totals).toEqual({ parts: 3, turns: 1, tokens: 10, usd: 0 });
  expect({ start, interrupted, checkpoint }).toEqual({
    ...{ start: { userMessage: undefined, messages: [], cutAnswers: 0 }, interrupted: [], checkpoint: 'c1' },
  });
});

test('an unfinished call gets a result that says so', () => {
  const [a, b] = [tool(1, 1), tool(2, 1)];
  const { conversation, interrupted } = resume(
    events(started(1, 'go'), call(a), call(b), finished(1, 'tool', 2), result(a)),
  );
  expect(interrupted).toEqual([
    expect.objectContaining({ number: 2, status: 'interrupted', output: interruptedOutput }),
  ]);
  expect(conversation.messages.at(-1)).toEqual({
    role: 'user',
    items: [
      { kind: 'result', callId: 'call1', output: 'of 1', isError: false },
      { kind: 'result', callId: 'call2', output: interruptedOutput, isError: true },
    ],
  });
});

test('the result of a call whose sandbox ended names the sandbox, not the worker', () => {
  const a = tool(1, 1);
  const lost = { reason: 'sandbox_lost', message: 'over its disk limit' } as const;
  const state = { type: 'operation.state', from: 'acting', to: 'queued', ...lost } as const;
  const { interrupted } = resume(events(started(1, 'go'), call(a), finished(1, 'tool', 1), state));
  expect(interrupted[0]?.output).toMatch(/its sandbox ended \(over its disk limit\).*do it another way/);
  const handedOver = { ...state, reason: 'worker_stopped' } as const;
  const later = resume(events(started(1, 'go'), call(a), finished(1, 'tool', 1), state, handedOver));
  expect(later.interrupted[0]?.output).toBe(interruptedOutput);
});

test('an agent that was done is not asked again, unless checks failed afterwards', () => {
  const done = [started(1, 'go'), text(1, 1, 'All fixed'), finished(1, 'end')];
  expect(resume(events(...done)).end).toEqual({ kind: 'done', text: 'All fixed' });
  const again = resume(events(...done, started(2, 'test fails', 2)));
  expect(again).toMatchObject({ end: undefined, round: 2, start: { userMessage: 'test fails' } });
  expect(again.conversation.messages).toHaveLength(2);
});

test('a cut answer is continued, and a turn that was started twice counts once', () => {
  const { start, conversation } = resume(
    events(started(1, 'go'), started(1, 'go'), text(1, 1, 'half'), finished(1, 'cut'), started(2, 'go on')),
  );
  expect(start).toEqual({ userMessage: 'go on', messages: [], cutAnswers: 1 });
  expect(conversation.messages).toHaveLength(2);
});

test('a checkpoint that belongs to no part counts too', () => {
  const { checkpoint } = resume(
    events(started(1, 'go'), { type: 'checkpoint.written', checkpoint: 'c9', changed: [] }),
  );
  expect(checkpoint).toBe('c9');
});

test('the time spent is the sum of recorded durations, whatever the wall clock said', () => {
  const ready = { type: 'workspace.ready' as const, baseBranch: 'main', baseCommit: 'c', sandbox: 'process' };
  const spent = events(
    { ...ready, durationMs: 1_500 },
    started(1, 'the request'),
    call(tool(1, 1)),
    finished(1),
  );
  const jumped = { operationId: 'op', position: 5, at: '2026-06-01T00:00:00.000Z' };
  const ran = result(tool(1, 1), { durationMs: 2_499 });
  expect(resume([...spent, { ...jumped, ...ran }]).secondsSpent).toBe(4);
});

test('messages from people are part of the user message, and stay so if the answer was lost', () => {
  const told = 'the request\n\nAda says:\n\nfirst';
  const turn: EventBody = { type: 'turn.started', turn: 1, round: 1, told, messages: [1, 2] };
  const lost = resume(events(turn));
  expect(lost.start).toEqual({ userMessage: told, messages: [1, 2], cutAnswers: 0 });
  const answered = resume(events(turn, text(1, 1, 'All fixed'), finished(1, 'end')));
  expect(answered.start.messages).toEqual([]);
  expect(answered.conversation.messages[0]).toEqual({ role: 'user', items: [{ kind: 'text', text: told }] });
});
