/** An operation from request to proposal with a chat completions model, and its failures. */
import { readFileSync } from 'node:fs';
import {
  call,
  conversation,
  conversationFor,
  type Fault,
  say,
  stopped,
  think,
  turn,
} from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';

const key = 'a-key-that-nobody-may-see';
const edit = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const done = turn(say('Nothing to do'));
const faulty = (match: string, ...faults: Fault[]) => conversation(match, [{ ...done, faults }], { match });

const conversations = [
  conversationFor(
    'the sum is wrong',
    turn(
      think('Two files.'),
      say('I look.'),
      call('read_file', { path: 'sum.mjs' }),
      call('list_directory', {}),
    ),
    { ...turn(edit), expect: { lastToolResult: { contains: ['sum.mjs'], isError: false } } },
    { ...turn(say('Add instead of subtract')), faults: [{ break: 'mid-stream' }] },
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
  conversationFor('cut short', stopped('max_tokens', say('I think')), done),
  conversationFor('unwilling', stopped('refusal', say('I will not.'))),
  conversationFor(
    'broken input',
    turn({ type: 'tool_use', name: 'read_file', rawInput: '{"path": "a' }),
    done,
  ),
];

const settings = {
  FETTLE_MODEL: 'openai:gpt-5.4',
  OPENAI_API_KEY: key,
  // This service is not used.
  ANTHROPIC_API_KEY: undefined,
  FETTLE_MODEL_RETRIES: '3',
};
const platform = await openPlatform({ conversations, settings });
const repository = openRepository(brokenSum);

const ask = (description: string) => platform.run(repository.request('fix', description));

test('from request to proposal, with a stream that broke once', async () => {
  const { operation, events } = await ask('the sum is wrong');
  expect(operation.outcome).toMatchObject({ draft: false });
  expect(repository.git('show', `${proposalOf(operation).branch}:sum.mjs`)).toContain('a + b');
  const finished = ofType(events, 'turn.finished');
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
    expect(ofType(events, 'turn.retried')).toHaveLength(3);
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

test('a cut answer is continued', async () => {
  expect((await ask('cut short')).operation).toMatchObject({ state: 'unchanged', totals: { turns: 2 } });
});

test('a cut call gets a result, and the model continues', async () => {
  const { operation, events } = await ask('broken input');
  expect(operation.state).toBe('unchanged');
  const outputs = toolParts(events).map(({ output }) => output);
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

test('a request names another model, and the record, the operation and the price notice name it, too', async () => {
  const model = 'openai:local-model';
  const { operation, events } = await platform.run({
    ...{ kind: 'ask', description: 'cut short', repository: repository.path, model },
  });
  expect(operation).toMatchObject({ state: 'answered', model: 'local-model', request: { model } });
  expect(events).toContainEqual(expect.objectContaining({ type: 'workspace.ready', model: 'local-model' }));
  expect(events).toContainEqual(
    expect.objectContaining({
      code: 'price_unknown',
      message: expect.stringContaining('price of local-model is'),
    }),
  );
  expect(platform.rehearsal.requests().at(-1)?.body).toMatchObject({ model: 'local-model' });
});

test('a model that the worker has no key for costs nothing and says which key is missing', async () => {
  const before = platform.rehearsal.requests().length;
  const { operation } = await platform.run({
    ...{ kind: 'ask', description: 'why?', repository: repository.path, model: 'claude-sonnet-5-5' },
  });
  expect(operation.outcome).toEqual({
    kind: 'failure',
    reason: 'model_unavailable',
    message:
      'claude-sonnet-5-5 is not available on this worker: ANTHROPIC_API_KEY: is not set (the key for the model API).',
  });
  expect(platform.rehearsal.requests()).toHaveLength(before);
});
