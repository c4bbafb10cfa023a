/** A conversation that outgrows the context window: what is left out, what stays, and that a resume gets the same. */
import { expect, test } from 'vitest';
import { resume } from '../loop/resume.ts';
import { runTurns } from '../loop/run-turns.ts';
import type { TurnOptions } from '../loop/turn-options.ts';
import { type Message, ModelFailure, noUsage } from '../model/model.ts';
import { callOf, type Line, openStage, say, scriptedModel } from '../testing/stage.ts';

const stage = await openStage();
await stage.sandbox.run({ command: 'seq 1 2000 > long; seq 1 9 > short' });

const look = (index: number): Line => [callOf(`c${index}`, 'read_file', { path: 'long' })];
const work = (index: number): Line => [
  say(`step ${index}`),
  callOf(`c${index}`, 'run_command', { command: `cat long; echo step ${index}` }),
];
const times = (count: number, line: (index: number) => Line) =>
  Array.from({ length: count }, (_, i) => line(i));

async function play(lines: Line[], more: Partial<TurnOptions>) {
  const scripted = scriptedModel(lines);
  const { options, events } = stage.prepare(scripted.model, more);
  const end = await runTurns({ userMessage: 'the request' }, options);
  const compactions = events.flatMap((event) => (event.type === 'conversation.compacted' ? [event] : []));
  return { end, events, compactions, options, requests: scripted.requests };
}

/** Every call is followed by its result, and the roles alternate. */
function expectWellFormed(messages: Message[]): void {
  for (const [index, message] of messages.entries()) {
    expect(message.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    if (message.role !== 'assistant') continue;
    const calls = message.blocks.flatMap((block) => (block.kind === 'tool' ? [block.callId] : []));
    const next = messages[index + 1];
    const items = next?.role === 'user' ? next.items : [];
    const answered = items.flatMap((item) => (item.kind === 'result' ? [item.callId] : []));
    if (next) expect(answered).toEqual(calls);
  }
}

/** A resume at any turn sends the same messages as the uninterrupted run. */
function expectSameOnResume({ events, requests }: Awaited<ReturnType<typeof play>>): void {
  const asked = requests.filter((messages) => !JSON.stringify(messages).includes('is about to be shortened'));
  const starts = events.flatMap((event, index) => (event.type === 'turn.started' ? [index] : []));
  for (const [turn, place] of starts.entries()) {
    // Up to the previous answer, with the compactions since.
    const { conversation, start } = resume(events.slice(0, place + 1));
    const messages = structuredClone(conversation.messages);
    if (start.userMessage !== undefined) {
      const last = messages.at(-1);
      if (last?.role === 'user') last.items.push({ kind: 'text', text: start.userMessage });
      else messages.push({ role: 'user', items: [{ kind: 'text', text: start.userMessage }] });
    }
    expect({ turn, messages }).toEqual({ turn, messages: asked[turn] });
  }
}

const small = { tokens: 20_000, compactAt: 0.85, keepTokens: 4_000 };

test('old results that can be read again are left out first, without a request to the model', async () => {
  const played = await play(times(12, look), { window: small });
  expect(played.end).toMatchObject({ kind: 'done' });
  expect(new Set(played.compactions.map(({ way }) => way))).toEqual(new Set(['results']));
  expect(JSON.stringify(played.requests.at(-1))).toContain('left out to save space; call read_file again');
  for (const messages of played.requests) expectWellFormed(messages);
  expectSameOnResume(played);
});

test('then a summary of the model follows the request; the newest turns stay unchanged', async () => {
  let asked = 0;
  const lines: Line[] = [];
  let step = 0;
  const next: Line = (request) => {
    if (JSON.stringify(request.messages.at(-1)).includes('is about to be shortened')) {
      asked += 1;
      return [say(`## Goal\nthe goal, summary ${asked}`)];
    }
    step += 1;
    return step > 24 ? [say('done')] : (work(step) as never);
  };
  for (let index = 0; index < 40; index++) lines.push(next);
  const played = await play(lines, { window: small });
  expect(played.end).toEqual({ kind: 'done', text: 'done' });
  expect(asked).toBeGreaterThanOrEqual(2);
  expect(played.compactions.filter(({ way }) => way === 'summary')).toHaveLength(asked);
  const [first] = played.requests.at(-1) ?? [];
  expect(first).toMatchObject({
    role: 'user',
    items: [{ text: 'the request' }, { text: expect.stringContaining(`the goal, summary ${asked}`) }],
  });
  expect(JSON.stringify(played.requests.at(-1))).toContain('step 24');
  for (const messages of played.requests) expectWellFormed(messages);
  expectSameOnResume(played);
  // The recorded totals include the cost of the summaries, and nothing is counted twice.
  const total = resume(played.events).conversation.totals;
  expect(total).toEqual(played.options.conversation.totals);
  const paid = played.requests.reduce(
    (sum, messages) => sum + Math.ceil(JSON.stringify(messages).length / 4) + 50,
    0,
  );
  expect(total.tokens).toBe(paid);
});

test.each([16_000, 50_000])('the kept turns do not fill a window of %d tokens again', async (tokens) => {
  const window = { tokens, compactAt: 0.85, keepTokens: 40_000 };
  const { compactions } = await play(times(60, work), { window });
  expect(compactions.length).toBeGreaterThan(0);
  expect(Math.max(...compactions.map(({ tokensAfter }) => tokensAfter))).toBeLessThan(0.6 * 0.85 * tokens);
});

test('if the model cannot write a summary, a plain list of actions replaces it', async () => {
  const failing: Line = (request) =>
    JSON.stringify(request.messages.at(-1)).includes('is about to be shortened')
      ? new ModelFailure('model_unreachable', 'away')
      : (work(request.messages.length) as never);
  const played = await play([...times(20, () => failing), [say('done')]], { window: small });
  expect(played.end.kind).toBe('done');
  const summaries = played.compactions.filter(({ way }) => way === 'summary');
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries[0]?.summary).toMatch(
    /a short list of what happened[\s\S]*Actions \(data\):\n```\n- said: step 1\n- called run_command[\s\S]*```$/,
  );
  expectSameOnResume(played);
});

test('messages from people survive a plain summary and the next one', async () => {
  const failing: Line = (request) =>
    JSON.stringify(request.messages.at(-1)).includes('is about to be shortened')
      ? new ModelFailure('model_unreachable', 'away')
      : (work(request.messages.length) as never);
  const said = [{ number: 1, by: 'Bob', text: 'Never touch\nthe gnu.' }];
  let turns = 0;
  const played = await play([...times(40, () => failing), [say('done')]], {
    window: small,
    takeMessages: async () => (++turns === 3 ? said.splice(0) : []),
  });
  expect(played.compactions.filter(({ way }) => way === 'summary').length).toBeGreaterThan(1);
  const words = /whose messages count as much as the request itself, says:(?: |\\n\\n)Never touch/g;
  for (const messages of played.requests.slice(3))
    expect(JSON.stringify(messages).match(words) ?? []).toHaveLength(1);
  expectSameOnResume(played);
});

test('the reservation for a summary includes the system prompt', async () => {
  const system = 'x'.repeat(20_000);
  /** Counts the whole request, and answers as long as it may. */
  const count = async (tokens: number) => {
    const { model } = scriptedModel(times(20, work));
    const counting: typeof model = {
      ...model,
      async answer(request, more) {
        const answer = await model.answer(request, more);
        const { maxOutputTokens: outputTokens = 0 } = request;
        const isSummary = JSON.stringify(request.messages.at(-1)).includes('is about to be shortened');
        const inputTokens = answer.usage.inputTokens + system.length / 4;
        return { ...answer, usage: { ...answer.usage, inputTokens, ...(isSummary && { outputTokens }) } };
      },
    };
    const budgets = { parts: 1_000, turns: 1_000, tokens, usd: 1_000, seconds: 1_000 };
    const { options } = stage.prepare(counting, { system, window: small, budgets });
    await runTurns({ userMessage: 'the request' }, options);
    return options.conversation.totals.tokens;
  };
  // The number of tokens is an estimate.
  for (let tokens = 60_000; tokens <= 90_000; tokens += 1_500)
    expect(await count(tokens)).toBeLessThanOrEqual(tokens * 1.01);
});

test('a refusal does not count as a summary', async () => {
  const { model } = scriptedModel(times(20, work));
  const refusing: typeof model = {
    ...model,
    async answer(request, more) {
      if (!JSON.stringify(request.messages.at(-1)).includes('is about to be shortened'))
        return model.answer(request, more);
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      return { model: 'scripted', blocks: [say('I will not.')], stopReason: 'refusal', usage };
    },
  };
  const { options, events } = stage.prepare(refusing, { window: small });
  await runTurns({ userMessage: 'the request' }, options);
  expect(events.find(({ type }) => type === 'conversation.compacted')).toMatchObject({
    summary: expect.stringContaining('- said: step 1'),
  });
});

test('a window smaller than the kept turns does not cause a summary in every turn', async () => {
  let summaries = 0;
  const line: Line = (request) => {
    if (!JSON.stringify(request.messages.at(-1)).includes('is about to be shortened'))
      return work(request.messages.length) as never;
    summaries += 1;
    return [say('## Goal\nthe goal')];
  };
  const window = { ...small, keepTokens: 40_000 };
  const { requests } = await play([...times(60, () => line), [say('done')]], { window });
  expect(summaries).toBeLessThan(15);
  for (const messages of requests)
    expect(JSON.stringify(messages).length / 4).toBeLessThan(small.tokens * 1.1);
});

const isSummary = (messages: Message[]) =>
  JSON.stringify(messages.at(-1)).includes('is about to be shortened');

test('messages from people survive several plain summaries', async () => {
  const failing: Line = (request) =>
    isSummary(request.messages)
      ? new ModelFailure('model_unreachable', 'away')
      : (work(request.messages.length) as never);
  const scripted = scriptedModel([...times(30, () => failing), [say('done')]]);
  const waiting = [{ number: 1, by: 'Ada', text: 'Keep the old name.\nIt is public.' }];
  const takeMessages = async () => (scripted.requests.length === 2 ? waiting : []);
  const { options, events } = stage.prepare(scripted.model, { window: small, takeMessages });
  await runTurns({ userMessage: 'the request' }, options);
  const summaries = events.flatMap((event) =>
    event.type === 'conversation.compacted' ? [event.summary] : [],
  );
  expect(summaries.length).toBeGreaterThanOrEqual(3);
  for (const summary of summaries) expect(summary).toContain('Keep the old name.\nIt is public.');
  expect(summaries.at(-1)).not.toContain('User message: the request');
});

test('the time budget also limits a summary, and retries are recorded', async () => {
  const { model } = scriptedModel(times(20, work));
  const dripping: TurnOptions['model'] = {
    ...model,
    async answer(request, options) {
      if (!isSummary(request.messages)) return model.answer(request, options);
      await options.onRetry({ retry: 1, message: 'overloaded', pauseMs: 1, lost: noUsage });
      return new Promise((_resolve, reject) =>
        options.signal.addEventListener('abort', () => reject(options.signal.reason)),
      );
    },
  };
  const startedAt = performance.now();
  const secondsSpent = () => (performance.now() - startedAt) / 1000;
  const budgets = { parts: 1_000, turns: 1_000, tokens: 100_000_000, usd: 1_000, seconds: 2 };
  const { options, events } = stage.prepare(dripping, { window: small, budgets, secondsSpent });
  const end = await runTurns({ userMessage: 'the request' }, options);
  expect(end).toMatchObject({ kind: 'stopped', reason: 'budget_seconds' });
  expect(events.slice(-2)).toMatchObject([
    { type: 'turn.retried', message: 'overloaded' },
    { type: 'conversation.compacted', summary: expect.stringContaining('a short list of what happened') },
  ]);
});

test('a summary that the budget does not allow is not requested', async () => {
  const more = {
    system: 'rules '.repeat(20_000),
    window: { tokens: 60_000, compactAt: 0.85, keepTokens: 4_000 },
  };
  const [first] = (await play(times(40, work), more)).compactions;
  if (!first?.usage) throw new Error('there was no summary');
  // Enough for the conversation, but not for the system prompt.
  const before = first.totals.tokens - first.usage.inputTokens - first.usage.outputTokens;
  const tokens = before + first.tokensBefore + 5_000;
  const budgets = { parts: 1_000, turns: 1_000, tokens, usd: 1_000, seconds: 1_000 };
  const { end, requests } = await play(times(40, work), { ...more, budgets });
  expect(end).toMatchObject({ kind: 'stopped', reason: 'budget_tokens' });
  expect(requests.some(isSummary)).toBe(false);
});

test('a conversation that the service rejects as too long is compacted and sent again in the same turn', async () => {
  const overflow = new ModelFailure('context_overflow', 'prompt is too long');
  const played = await play([...times(6, look), overflow, [say('done')]], {});
  expect(played.end).toEqual({ kind: 'done', text: 'done' });
  expect(played.compactions).toMatchObject([{ turn: 7, way: 'results' }]);
  expect(played.options.conversation.totals.turns).toBe(7);
  expect(resume(played.events).conversation).toEqual(played.options.conversation);
});

test('a conversation that cannot be compacted ends with context_overflow', async () => {
  const overflow = () => new ModelFailure('context_overflow', 'prompt is too long');
  const { end } = await play([overflow, overflow, overflow, overflow], {});
  expect(end).toEqual({ kind: 'stopped', reason: 'context_overflow', message: 'prompt is too long' });
});
