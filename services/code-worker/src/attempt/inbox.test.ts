import type { Said } from '@fettle/contract';
import { expect, test } from 'vitest';
import { createMailbox } from './inbox.ts';

function openPost() {
  const said: Said[] = [];
  const asked: number[] = [];
  return {
    asked,
    say: (text: string) => said.push({ number: said.length + 1, by: 'Ada', text }),
    read: async (after: number) => {
      asked.push(after);
      return said.filter(({ number }) => number > after);
    },
  };
}
const turn = (...messages: number[]) => ({ type: 'turn.started' as const, turn: 1, round: 1, messages });
const numbers = (said: Said[]) => said.map(({ number }) => number);

test('nobody is asked while there is nothing', async () => {
  const post = openPost();
  const mailbox = createMailbox();
  expect(await mailbox.take(post.read)).toEqual([]);
  expect(post.asked).toEqual([]);
});

test('a message is given until a turn on record names it', async () => {
  const post = openPost();
  const mailbox = createMailbox();
  post.say('one');
  mailbox.ring();
  expect(numbers(await mailbox.take(post.read))).toEqual([1]);
  post.say('two');
  expect(numbers(await mailbox.take(post.read))).toEqual([1, 2]);
  mailbox.note([turn(1, 2)]);
  expect(mailbox.heard()).toBe(2);
  const before = post.asked.length;
  expect(await mailbox.take(post.read)).toEqual([]);
  expect(post.asked).toHaveLength(before);
});

test('one that came between the look and the record is given after it, though nobody rang', async () => {
  const post = openPost();
  const mailbox = createMailbox();
  post.say('one');
  mailbox.expect(1);
  await mailbox.take(post.read);
  post.say('two');
  mailbox.note([turn(1)]);
  mailbox.expect(2);
  expect(numbers(await mailbox.take(post.read))).toEqual([2]);
});

test('what earlier attempts were told is not told again', async () => {
  const post = openPost();
  const mailbox = createMailbox();
  for (const text of ['one', 'two', 'three']) post.say(text);
  mailbox.expect(3);
  mailbox.note([turn(1), turn(1, 2)]);
  expect(numbers(await mailbox.take(post.read))).toEqual([3]);
});
