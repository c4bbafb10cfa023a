import type { Writable } from 'node:stream';
import { encodeBytesHeader, encodeJson } from './frames.ts';
import type { SendWindow } from './send-window.ts';

export interface FrameWriter {
  json(value: unknown): void;
  /** Sends all bytes in frames of a limited size, as fast as the window and the stream allow. */
  bytes(id: number, bytes: Buffer, window: SendWindow): Promise<void>;
}

export function createFrameWriter(stream: Writable): FrameWriter {
  let draining: PromiseWithResolvers<void> | undefined;
  for (const event of ['drain', 'close']) {
    stream.on(event, () => {
      draining?.resolve();
      draining = undefined;
    });
  }

  /** All senders share one promise. */
  function drained(): Promise<void> {
    draining ??= Promise.withResolvers();
    return draining.promise;
  }

  /** Batches writes of the same tick, so that the other side wakes up once. */
  function batchWrites(): void {
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  return {
    json(value) {
      const frame = encodeJson(value);
      if (!stream.writable) return;
      batchWrites();
      stream.write(frame);
    },
    async bytes(id, bytes, window) {
      for (let sent = 0; sent < bytes.length; ) {
        const count = await window.take(bytes.length - sent);
        if (!stream.writable) return;
        batchWrites();
        stream.write(encodeBytesHeader(id, count));
        const roomLeft = stream.write(bytes.subarray(sent, sent + count));
        sent += count;
        if (!roomLeft) await drained();
      }
    },
  };
}
