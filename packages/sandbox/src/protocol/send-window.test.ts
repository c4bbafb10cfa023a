import { expect, it } from 'vitest';
import { createReceiveQueue } from './receive-queue.ts';
import { createSendWindow, maxChunkBytes, windowBytes } from './send-window.ts';

it('blocks a sender until the receiver has consumed bytes', async () => {
  const window = createSendWindow();
  const queue = createReceiveQueue((credit) => expect(window.grant(credit)).toBe(true));
  let sent = 0;
  const sending = (async () => {
    while (sent < 4 * windowBytes) {
      const count = await window.take(maxChunkBytes);
      expect(queue.push(Buffer.alloc(count))).toBe(true);
      sent += count;
    }
    queue.end();
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBe(windowBytes);
  let received = 0;
  for await (const chunk of queue.chunks()) received += chunk.length;
  await sending;
  expect(received).toBe(4 * windowBytes);
});

it('detects an exceeded window, and credit for bytes that were never sent', () => {
  const queue = createReceiveQueue(() => {});
  expect(queue.push(Buffer.alloc(windowBytes))).toBe(true);
  expect(queue.push(Buffer.alloc(1))).toBe(false);
  expect(createSendWindow().grant(1)).toBe(false);
});

it('releases a waiting sender when it closes', async () => {
  const window = createSendWindow();
  for (let taken = 0; taken < windowBytes; ) taken += await window.take(maxChunkBytes);
  const waiting = window.take(1);
  window.close(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
});
