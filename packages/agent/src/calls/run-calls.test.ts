/** The calls of one answer: concurrency, order, hooks and bounds of the results. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runTurns } from '../loop/run-turns.ts';
import { callOf, openStage, say, scriptedModel } from '../testing/stage.ts';
import { defineTool } from '../tools/tool.ts';
import type { Objection, ParsedCall } from './hooks.ts';

const stage = await openStage();

const running = { now: 0, most: 0, order: [] as string[] };
const slowTool = (name: string, effect: 'reads' | 'writes') =>
  defineTool({
    name,
    description: name,
    effect,
    paths: ({ path }) => [{ path, access: effect === 'reads' ? 'read' : 'write' }],
    input: z.strictObject({ path: z.string() }),
    async run({ path }) {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.now -= 1;
      running.order.push(path);
      return { output: `${name} ${path}` };
    },
  });

async function play(names: [tool: string, path: string][]) {
  Object.assign(running, { now: 0, most: 0, order: [] });
  const blocks = names.map(([tool, path], index) => callOf(`c${index}`, tool, { path }));
  const { model, requests } = scriptedModel([blocks, [say('done')]]);
  const tools = [slowTool('look', 'reads'), slowTool('put', 'writes')];
  const { options, events } = stage.prepare(model, { tools });
  await runTurns({ userMessage: 'go' }, options);
  const results = requests.at(-1)?.at(-1);
  return {
    events,
    outputs:
      results?.role === 'user' ? results.items.map((item) => ('output' in item ? item.output : '')) : [],
  };
}

test('calls that only read run concurrently, and their results keep the order of the calls', async () => {
  const { outputs } = await play([
    ['look', 'a'],
    ['look', 'b'],
    ['look', 'c'],
  ]);
  expect(running.most).toBe(3);
  expect(outputs).toEqual(['look a', 'look b', 'look c']);
});

test('a call that writes runs alone, after all earlier and before all later calls', async () => {
  const { outputs, events } = await play([
    ['look', 'a'],
    ['put', 'b'],
    ['put', 'c'],
    ['look', 'd'],
  ]);
  expect(running.most).toBe(1);
  expect(running.order).toEqual(['a', 'b', 'c', 'd']);
  expect(outputs).toEqual(['look a', 'put b', 'put c', 'look d']);
  const finished = events.flatMap((event) => (event.type === 'part.finished' ? [event.part.number] : []));
  expect(finished).toEqual([1, 2, 3, 4, 5]);
});

test('at most eight calls read at the same time', async () => {
  await play(Array.from({ length: 20 }, (_, index) => ['look', `f${index}`]));
  expect(running.most).toBe(8);
});

async function playWith(objection: Objection, place: 'afterPolicy' | 'afterResult') {
  const { model, requests } = scriptedModel([
    [callOf('c1', 'write_file', { path: 'hook.txt', content: 'x' })],
  ]);
  const hooks = { afterPolicy: [], afterResult: [], [place]: [() => undefined, () => objection] };
  const { options, events } = stage.prepare(model, { hooks });
  const end = await runTurns({ userMessage: 'go' }, options);
  const exists = await stage.sandbox.readFile('hook.txt', { maxBytes: 10 }).then(
    () => true,
    () => false,
  );
  await stage.sandbox.run({ command: 'rm -f hook.txt' });
  const part = events.flatMap((event) => (event.type === 'part.finished' ? [event.part] : []))[0];
  return { end, exists, part, requests };
}

test('a hook after the policy blocks the call, and the model sees the reason', async () => {
  const played = await playWith({ kind: 'block', reason: 'not today' }, 'afterPolicy');
  expect(played).toMatchObject({
    ...{ exists: false, end: { kind: 'done' } },
    part: { status: 'denied', output: 'This was not allowed: not today' },
  });
});

test('a hook after the result replaces the result', async () => {
  const played = await playWith({ kind: 'block', reason: 'a secret' }, 'afterResult');
  expect(played).toMatchObject({
    ...{ exists: true, end: { kind: 'done' } },
    part: { status: 'denied', output: 'This was not allowed: a secret' },
  });
});

test.each(['afterPolicy', 'afterResult'] as const)('a hook %s can stop the operation', async (place) => {
  const { end, part } = await playWith({ kind: 'stop', reason: 'cancelled', message: 'enough' }, place);
  expect(end).toEqual({ kind: 'stopped', reason: 'cancelled', message: 'enough' });
  expect(part).toMatchObject({ status: 'denied' });
});

test.each(['parts', 'seconds'] as const)(
  'calls of one answer beyond the budget of %s do not run',
  async (name) => {
    const calls = Array.from({ length: 20 }, (_, index) =>
      callOf(`c${index}`, 'run_command', { command: `sleep 0.2; echo ${index} >> many.txt` }),
    );
    const { model } = scriptedModel([calls]);
    const budgets = { parts: 1_000, turns: 9, tokens: 1_000_000, usd: 9, seconds: 1_000, [name]: 2 };
    const startedAt = performance.now();
    const secondsSpent = () => (performance.now() - startedAt) / 1000;
    const { options, events } = stage.prepare(model, { budgets, secondsSpent });
    expect(await runTurns({ userMessage: 'go' }, options)).toMatchObject({ reason: `budget_${name}` });
    const { output } = await stage.sandbox.run({ command: 'wc -l < many.txt; rm many.txt' });
    expect(Number(output)).toBeLessThan(12);
    if (name === 'parts') expect(Number(output)).toBe(2);
    const last = events.findLast(({ type }) => type === 'part.finished');
    expect(last).toMatchObject({
      part: {
        number: 20,
        status: 'denied',
        output: `This was not allowed: the budget of 2 ${name} is used up.`,
      },
    });
  },
);

test('a hook that stops the operation stops it before the next call', async () => {
  const write = (path: string) => callOf(path, 'write_file', { path, content: 'x' });
  const { model } = scriptedModel([[write('first.txt'), write('second.txt')]]);
  const stop = { kind: 'stop' as const, reason: 'cancelled' as const, message: 'enough' };
  const isFirst = (input: Record<string, unknown>) => input.path === 'first.txt';
  const hooks = {
    afterPolicy: [],
    afterResult: [({ input }: ParsedCall) => (isFirst(input) ? stop : undefined)],
  };
  const { options, events } = stage.prepare(model, { hooks });
  expect(await runTurns({ userMessage: 'go' }, options)).toMatchObject({
    kind: 'stopped',
    message: 'enough',
  });
  const statuses = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part.status] : [],
  );
  expect(statuses).toEqual(['denied', 'denied']);
  await expect(stage.sandbox.readFile('second.txt', { maxBytes: 10 })).rejects.toThrow();
});

test('a long output keeps head and tail, and read_output returns the rest', async () => {
  await stage.sandbox.run({ command: 'seq 1 40000 > numbers' });
  const { model, requests } = scriptedModel([
    [callOf('c1', 'run_command', { command: 'cat numbers' })],
    [callOf('c2', 'read_output', { part: 1, offset: 30_000 })],
    [callOf('c3', 'read_output', { part: 7 })],
  ]);
  const { options } = stage.prepare(model);
  await runTurns({ userMessage: 'go' }, options);
  const [, , first, , second, , third] = requests.at(-1) ?? [];
  expect(JSON.stringify(first)).toMatch(
    /characters left out here; read_output .{2,9}part.{2,9}1, .{2,9}offset.{2,9}30000/,
  );
  expect(JSON.stringify(second)).toMatch(/\(characters 30000 to 60000 of \d+; continue with offset 60000\)/);
  const whole = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join('');
  const output = second?.role === 'user' && second.items[0]?.kind === 'result' ? second.items[0].output : '';
  expect(output.slice(0, 30_000)).toBe(whole.slice(30_000, 60_000));
  expect(JSON.stringify(third)).toContain('The whole output of part 7 is no longer available');
});

test('the results of one answer have a common limit, and each keeps some text', async () => {
  await stage.sandbox.run({ command: 'seq 1 20000 > long' });
  const calls = Array.from({ length: 30 }, (_, index) => callOf(`c${index}`, 'read_file', { path: 'long' }));
  const { model, requests } = scriptedModel([calls]);
  const { options } = stage.prepare(model);
  await runTurns({ userMessage: 'go' }, options);
  const results = requests.at(-1)?.at(-1);
  const lengths =
    results?.role === 'user' ? results.items.map((item) => ('output' in item ? item.output.length : 0)) : [];
  expect(lengths).toHaveLength(30);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBeLessThan(400_000);
  expect(Math.min(...lengths)).toBeGreaterThan(1_000);
});

test('secrets are masked before they are recorded', async () => {
  await stage.sandbox.run({ command: 'echo the-1 > front; echo -key > back' });
  const { model, requests } = scriptedModel([
    [callOf('c1', 'run_command', { command: "paste -d '' front back" })],
  ]);
  const { options, events } = stage.prepare(model, {
    mask: (text) => text.replaceAll('the-1-key', '[masked]'),
  });
  await runTurns({ userMessage: 'go' }, options);
  expect(JSON.stringify([events, requests])).not.toContain('the-1-key');
  expect(JSON.stringify(events)).toContain('[masked]');
});
