import { expect, test } from 'vitest';
import { createEventStreamParser, type Message } from './event-stream-parser.ts';

const stream =
  ': hello\n\nid: 1\nevent: notice\ndata: {"a":"é"}\n\nid: 2\r\ndata: one\r\ndata: two\r\n\r\nid: 3\n\n';
const messages: Message[] = [
  { id: '1', event: 'notice', data: '{"a":"é"}' },
  { id: '2', event: 'message', data: 'one\ntwo' },
];

test.each([1, 2, 3, 7, 1000])('pieces of %i bytes give the same messages', (size) => {
  const bytes = Buffer.from(stream);
  const parser = createEventStreamParser();
  const found: Message[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...parser.push(bytes.subarray(at, at + size)));
  expect(found).toEqual(messages);
});

test('a message that never ends is given up', () => {
  const endlessLine = createEventStreamParser(1_000);
  expect(() => endlessLine.push(Buffer.from(`data: ${'x'.repeat(2_000)}`))).toThrow('longer than 1000');
  const endlessMessage = createEventStreamParser(1_000);
  expect(() => endlessMessage.push(Buffer.from('data: x\n'.repeat(1_000)))).toThrow('longer than 1000');
});
