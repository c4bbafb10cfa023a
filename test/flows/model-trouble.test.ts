/** Incomplete answers and errors of the Messages API: the operation continues, or ends with that reason. */
import { call, conversationFor, say, stopped, think, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';

const done = turn(say('Nothing to do'));
const overloaded = { status: 529 };

const conversations = [
  conversationFor('overloaded', { ...done, faults: [overloaded, overloaded, overloaded] }),
  conversationFor(
    'pauses',
    stopped('pause_turn', think('A while.'), say('I wait')),
    stopped('pause_turn', say('and wait')),
    turn({ type: 'redacted_thinking', data: 'c2VjcmV0' }, call('list_directory', {})),
    done,
  ),
  conversationFor('too long', { ...done, faults: [{ overflow: true }] }),
  conversationFor('is full', stopped('model_context_window_exceeded', say('I was about to'))),
];

const settings = {
  FETTLE_MODEL_RETRIES: '3',
  FETTLE_MODEL_THINKING: 'adaptive',
  FETTLE_MODEL_EFFORT: 'low',
};
const platform = await openPlatform({ conversations, settings });
const repository = openRepository(brokenSum);

const ask = (description: string) => platform.run(repository.request('fix', description));

test('529 is retried three times, with the configured thinking', async () => {
  const { operation, events } = await ask('overloaded');
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 1, parts: 1 } });
  expect(ofType(events, 'turn.retried').map(({ message }) => message)).toEqual(
    Array.from({ length: 3 }, () => '529: Overloaded'),
  );
  expect(platform.rehearsal.requests()[0]?.body).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
  });
});

test('a pause is continued without a user message', async () => {
  const { operation, events } = await ask('pauses');
  expect(platform.rehearsal.failures()).toEqual([]);
  expect(operation).toMatchObject({ state: 'unchanged', totals: { turns: 4, parts: 6 } });
  const told = events.flatMap((event) => (event.type === 'turn.started' ? [event.told !== undefined] : []));
  expect(told).toEqual([true, false, false, false]);
});

test.each([
  ['too long', /^400: prompt is too long/],
  ['is full', /fills the context window of the model/],
])('a conversation that %s ends with that as its reason', async (name, message) => {
  const { operation } = await ask(name);
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'context_overflow', message: expect.stringMatching(message) },
  });
});
