/** What the Messages API may say besides an answer that is whole: the operation goes on, or ends with that as its reason. */
import { type AnswerBlock, call, conversation, say, type Turn, think, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';

const done = turn(say('Nothing to do'));
const stopped = (
  stop_reason: NonNullable<Turn['answer']['stop_reason']>,
  ...content: AnswerBlock[]
): Turn => ({
  answer: { content, stop_reason },
});
const overloaded = { status: 529 };

const conversations = [
  conversation('overloaded', [{ ...done, faults: [overloaded, overloaded, overloaded] }], {
    match: 'overloaded',
  }),
  conversation(
    'pauses',
    [
      stopped('pause_turn', think('A while.'), say('I wait')),
      stopped('pause_turn', say('and wait')),
      turn({ type: 'redacted_thinking', data: 'c2VjcmV0' }, call('list_directory', {})),
      done,
    ],
    { match: 'pauses' },
  ),
  conversation('too-long', [{ ...done, faults: [{ overflow: true }] }], { match: 'too long' }),
  conversation('full', [stopped('model_context_window_exceeded', say('I was about to'))], {
    match: 'is full',
  }),
];

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  const settings = {
    FETTLE_MODEL_RETRIES: '3',
    FETTLE_MODEL_THINKING: 'adaptive',
    FETTLE_MODEL_EFFORT: 'low',
  };
  platform = await startPlatform({ conversations, settings });
  repository = makeRepository(brokenSum);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const ask = (description: string) => platform.run({ kind: 'fix', description, repository: repository.path });

test('529 three times is waited out, with the thinking that was configured', async () => {
  const { operation, events } = await ask('overloaded');
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 1, parts: 1 } });
  expect(events.flatMap((event) => (event.type === 'turn.retried' ? [event.message] : []))).toEqual(
    Array.from({ length: 3 }, () => '529: Overloaded'),
  );
  expect(platform.rehearsal.requests()[0]?.body).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
  });
});

test('a pause goes on with nothing said', async () => {
  const { operation, events } = await ask('pauses');
  expect(platform.rehearsal.failures()).toEqual([]);
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 4, parts: 6 } });
  const told = events.flatMap((event) => (event.type === 'turn.started' ? [event.told !== undefined] : []));
  expect(told).toEqual([true, false, false, false]);
});

test.each([
  ['too long', /^400: prompt is too long/],
  ['is full', /fills all that the model can read/],
])('a conversation that %s ends with that as its reason', async (name, message) => {
  const { operation } = await ask(name);
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'context_overflow', message: expect.stringMatching(message) },
  });
});
