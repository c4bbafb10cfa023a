/** Keeps the head and the tail of a stream, within a limit. */
import { createGrowingBuffer } from './growing-buffer.ts';

export interface BoundedOutput {
  push(chunk: Buffer): void;
  omittedBytes(): number;
  head(): Buffer;
  tail(): Buffer;
}

export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const headLimit = Math.floor(maxBytes / 2);
  const tailLimit = maxBytes - headLimit;
  const head = createGrowingBuffer(headLimit);
  let ring: Buffer | undefined;
  let afterHead = 0;

  function pushTail(chunk: Buffer): void {
    if (chunk.length === 0 || tailLimit === 0) return;
    ring ??= Buffer.allocUnsafeSlow(tailLimit);
    const kept = chunk.subarray(Math.max(0, chunk.length - tailLimit));
    const start = (afterHead + chunk.length - kept.length) % tailLimit;
    const first = kept.copy(ring, start);
    kept.copy(ring, 0, first);
  }

  return {
    push(chunk) {
      const rest = head.fill(chunk);
      pushTail(rest);
      afterHead += rest.length;
    },
    omittedBytes: () => Math.max(0, afterHead - tailLimit),
    head: () => head.content(),
    tail() {
      if (ring === undefined) return Buffer.alloc(0);
      if (afterHead <= tailLimit) return ring.subarray(0, afterHead);
      const start = afterHead % tailLimit;
      return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
    },
  };
}
