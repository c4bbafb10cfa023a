// The other end of a send window: holds what has come and was not consumed yet, and says when to give credit.
import { maxChunkBytes, windowBytes } from './send-window.ts';

/** Tiny chunks are joined beyond this many, since each of them costs far more than its bytes. */
const maxWaiting = 1024;

export interface ReceiveQueue {
  /** False when the sender went over its window, or sent nothing. */
  push(bytes: Buffer): boolean;
  end(error?: Error): void;
  /** What has come, in order; taking the next chunk says that the one before is consumed. */
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
    // Credit given is room in the window again, so only credited bytes leave the count.
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
