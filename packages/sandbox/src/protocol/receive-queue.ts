/** The receiver's side of a send window: queues bytes that are not consumed yet, and gives credit for consumed ones. */
import { maxChunkBytes, windowBytes } from './send-window.ts';

/** Beyond this many, small chunks are joined, because each costs far more memory than its bytes. */
const maxWaiting = 1024;

export interface ReceiveQueue {
  /** Returns false if the sender exceeded its window or sent an empty chunk. */
  push(bytes: Buffer): boolean;
  end(error?: Error): void;
  /** The received chunks in order. Requesting the next one marks the previous one as consumed. */
  chunks(): AsyncGenerator<Buffer>;
}

export function createReceiveQueue(giveCredit: (byteCount: number) => void): ReceiveQueue {
  let waiting: Buffer[] = [];
  let unconsumed = 0;
  let uncredited = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  function consumed(byteCount: number): void {
    uncredited += byteCount;
    if (uncredited < maxChunkBytes) return;
    // The window grows again when credit is given, so bytes count until then.
    unconsumed -= uncredited;
    giveCredit(uncredited);
    uncredited = 0;
  }

  return {
    push(bytes) {
      unconsumed += bytes.length;
      if (ended || unconsumed > windowBytes || bytes.length === 0) return false;
      waiting.push(bytes);
      if (waiting.length > maxWaiting) waiting = [Buffer.concat(waiting)];
      wake?.();
      return true;
    },
    end(error) {
      ended = true;
      failure ??= error;
      wake?.();
    },
    async *chunks() {
      for (;;) {
        if (failure !== undefined) throw failure;
        const next = waiting.shift();
        if (next !== undefined) {
          yield next;
          consumed(next.length);
        } else if (ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
