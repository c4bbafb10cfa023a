import type { Said } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createInbox } from './inbox.ts';

function createEmptyInbox() {
  const messages: Said[] = [];
  const requests: number[] = [];
  const send = (text: string) => messages.push({ number: messages.length + 1, by: 'Ada', text });
  const read = async (after: number) => {
    requests.push(after);
    return messages.filter(({ number }) => number > after);
  };
  return { inbox: createInbox(), messages: { requests, send, read } };
}
const turn = (...messages: number[]) => ({ type: 'turn.started' as const, turn: 1, round: 1, messages });
const numbers = (messages: Said[]) => messages.map(({ number }) => number);

test('makes no request while there are no messages', async () => {
  const { messages, inbox } = createEmptyInbox();
  expect(await inbox.take(messages.read)).toEqual([]);
  expect(messages.requests).toEqual([]);
});

test('returns a message until a turn on record names it', async () => {
  const { messages, inbox } = createEmptyInbox();
  messages.send('one');
  inbox.notify();
  expect(numbers(await inbox.take(messages.read))).toEqual([1]);
  messages.send('two');
  expect(numbers(await inbox.take(messages.read))).toEqual([1, 2]);
  inbox.observe([turn(1, 2)]);
  expect(inbox.lastDelivered()).toBe(2);
  const before = messages.requests.length;
  expect(await inbox.take(messages.read)).toEqual([]);
  expect(messages.requests).toHaveLength(before);
});

test('returns a message that arrived between the request and the record, even without a signal', async () => {
  const { messages, inbox } = createEmptyInbox();
  messages.send('one');
  inbox.expect(1);
  await inbox.take(messages.read);
  messages.send('two');
  inbox.observe([turn(1)]);
  inbox.expect(2);
  expect(numbers(await inbox.take(messages.read))).toEqual([2]);
});

test('does not repeat messages that an earlier attempt delivered', async () => {
  const { messages, inbox } = createEmptyInbox();
  for (const text of ['one', 'two', 'three']) messages.send(text);
  inbox.expect(3);
  inbox.observe([turn(1), turn(1, 2)]);
  expect(numbers(await inbox.take(messages.read))).toEqual([3]);
});
