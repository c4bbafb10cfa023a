// Keeps the first and the last half of a stream within a limit, whatever its length.

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

/** Copies, since a program that writes single bytes would otherwise cost a hundred times what it wrote. */
function createGrowingBuffer(limit: number) {
  let buffer = Buffer.allocUnsafeSlow(Math.min(limit, 8192));
  let used = 0;
  return {
    /** Gives back what did not fit. */
    fill(chunk: Buffer): Buffer {
      const count = Math.min(chunk.length, limit - used);
      if (used + count > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(buffer.length * 2, used + count)));
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
      }
      used += chunk.copy(buffer, used, 0, count);
      return chunk.subarray(count);
    },
    content: () => buffer.subarray(0, used),
  };
}
