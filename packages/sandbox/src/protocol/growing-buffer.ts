/** Collects bytes by copying them: a list of single-byte chunks would use a hundred times the memory. */

export interface GrowingBuffer {
  /** Returns the bytes that did not fit. */
  fill(chunk: Buffer): Buffer;
  /** Valid until the next `fill`. */
  content(): Buffer;
}

export function createGrowingBuffer(limit: number): GrowingBuffer {
  let buffer = Buffer.allocUnsafeSlow(Math.min(limit, 8192));
  let used = 0;
  return {
    fill(chunk) {
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
