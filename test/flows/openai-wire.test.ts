/** An operation from request to proposal with a model behind chat completions, and the ways in which that goes wrong. */
import { readFileSync } from 'node:fs';
import {
  type AnswerBlock,
  call,
  conversation,
  type Fault,
  say,
  type Turn,
  think,
  turn,
} from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';

const key = 'a-key-that-nobody-may-see';
const edit = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const done = turn(say('Nothing to do'));
const faulty = (match: string, ...faults: Fault[]) => conversation(match, [{ ...done, faults }], { match });
const stopped = (
  stop_reason: NonNullable<Turn['answer']['stop_reason']>,
  ...content: AnswerBlock[]
): Turn => ({
  answer: { content, stop_reason },
});

const conversations = [
  conversation(
    'adds',
    [
      turn(
        think('Two files.'),
        say('I look.'),
        call('read_file', { path: 'sum.mjs' }),
        call('list_directory', {}),
      ),
      { ...turn(edit), expect: { lastToolResult: { contains: ['sum.mjs'], isError: false } } },
      { ...turn(say('Add instead of subtract')), faults: [{ break: 'mid-stream' }] },
    ],
    { match: 'the sum is wrong' },
  ),
  faulty('overloaded', { status: 529 }, { status: 503 }, { status: 529 }),
  faulty(
    'broken in the middle',
    { break: 'mid-stream' },
    { errorEvent: 'server_error' },
    { stall: 'mid-stream' },
  ),
  faulty('too long', { overflow: true }),
  faulty('refused key', { status: 401 }),
  conversation('cut', [stopped('max_tokens', say('I think')), done], { match: 'cut short' }),
  conversation('refusal', [stopped('refusal', say('I will not.'))], { match: 'unwilling' }),
  conversation(
    'broken-input',
    [turn({ type: 'tool_use', name: 'read_file', rawInput: '{"path": "a' }), done],
    {
      match: 'broken input',
    },
  ),
];

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  const settings = {
    FETTLE_MODEL: 'openai:gpt-5.4',
    OPENAI_API_KEY: key,
    // Nobody asks for it.
    ANTHROPIC_API_KEY: undefined,
    FETTLE_MODEL_RETRIES: '3',
  };
  platform = await startPlatform({ conversations, settings });
  repository = makeRepository(brokenSum);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const ask = (description: string) => platform.run({ kind: 'fix', description, repository: repository.path });

test('from request to proposal, over a stream that broke once', async () => {
  const { operation, events } = await ask('the sum is wrong');
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  expect(operation.outcome).toMatchObject({ draft: false });
  expect(repository.git('show', `${operation.outcome.branch}:sum.mjs`)).toContain('a + b');
  const finished = events.filter((event) => event.type === 'turn.finished');
  expect(finished.map(({ model, stopReason }) => [model, stopReason])).toEqual([
    ['gpt-5.4', 'tool'],
    ['gpt-5.4', 'tool'],
    ['gpt-5.4', 'end'],
  ]);
  expect(finished.at(-1)?.usage.cacheReadTokens).toBeGreaterThan(0);
  const said = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind !== 'tool'
      ? [`${event.part.kind}: ${event.part.text}`]
      : [],
  );
  expect(said).toEqual(['reasoning: Two files.', 'text: I look.', 'text: Add instead of subtract']);
  expect(platform.rehearsal.requests().map(({ path }) => path)).toEqual(
    Array.from({ length: 4 }, () => '/v1/chat/completions'),
  );
});

test.each(['overloaded', 'broken in the middle'])(
  '%s three times, then well, with no part doubled',
  async (name) => {
    const { operation, events } = await ask(name);
    expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 1, parts: 1 } });
    expect(events.filter(({ type }) => type === 'turn.retried')).toHaveLength(3);
  },
);

test.each([
  ['too long', 'context_overflow', /^400: This model's maximum context length/],
  ['refused key', 'model_rejected', /^401: .*check OPENAI_API_KEY/],
  ['unwilling', 'model_refused', /^I will not\.$/],
])('%s ends with reason %s', async (name, reason, message) => {
  const { operation } = await ask(name);
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { kind: 'failure', reason, message: expect.stringMatching(message) },
  });
});

test('an answer that was cut is asked on', async () => {
  expect((await ask('cut short')).operation).toMatchObject({ state: 'unchanged', totals: { turns: 2 } });
});

test('a call that was cut is answered, and the model goes on', async () => {
  const { operation, events } = await ask('broken input');
  expect(operation.state).toBe('unchanged');
  const outputs = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' ? [event.part.output] : [],
  );
  expect(outputs).toEqual([expect.stringMatching(/^read_file was not run: the input is not valid JSON/)]);
  expect(JSON.stringify(platform.rehearsal.requests().at(-1)?.body)).toContain('This call failed:');
});

test('the key is in no event, no log and on no command line', async () => {
  const { events } = await ask('refused key once more');
  expect(JSON.stringify(events)).not.toContain(key);
  for (const { pid, log } of platform.workers) {
    expect(log()).not.toContain(key);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(key);
  }
});
