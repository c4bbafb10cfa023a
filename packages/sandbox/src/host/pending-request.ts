// One request on its way: its bytes in both directions, its time limit, its end.

import type { FrameWriter } from '../protocol/frame-writer.ts';
import { createReceiveQueue } from '../protocol/receive-queue.ts';
import type { Method } from '../protocol/requests.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { createSendWindow } from '../protocol/send-window.ts';
import type { Exchange } from './connection.ts';

/** A cancelled command has a moment to end by itself, and then is killed. */
const cancelLimitMs = 10_000;

export interface PendingRequest {
  result: Promise<unknown>;
  /** False when the toolbox sent more than it may. */
  receive(bytes: Buffer): boolean;
  /** False when the toolbox gave credit for more than it got. */
  grant(byteCount: number): boolean;
  succeed(result: unknown): void;
  refuse(error: SandboxError): void;
  /** Ends it here and now; `refuse` is for the toolbox's own answer, which comes after its bytes. */
  fail(error: Error): void;
}

export interface PendingRequestOptions {
  id: number;
  method: Method;
  exchange: Exchange<Method>;
  writer: FrameWriter;
  onMalformed: (error: SandboxError) => void;
}

export function createPendingRequest(options: PendingRequestOptions): PendingRequest {
  const { id, method, exchange, writer, onMalformed } = options;
  const settled = Promise.withResolvers<unknown>();
  const window = createSendWindow();
  const received = createReceiveQueue((credit) => writer.json({ id, credit }));
  const started = performance.now();
  let timer = setTimeout(giveUp, exchange.timeoutMs);

  function giveUp(): void {
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    fail(new SandboxError('timeout', `${method} was not answered within ${seconds} s`));
    // The request stays open on this side: its late bytes are taken and dropped, its late answer is expected.
    writer.json({ id, cancel: true });
  }

  function cancel(): void {
    writer.json({ id, cancel: true });
    clearTimeout(timer);
    timer = setTimeout(giveUp, cancelLimitMs);
  }

  let over = false;
  function finish(): void {
    over = true;
    clearTimeout(timer);
    exchange.signal?.removeEventListener('abort', cancel);
    window.close(new SandboxError('ended', 'the request is over'));
  }

  function fail(error: Error): void {
    finish();
    settled.reject(error);
  }

  async function consume(): Promise<void> {
    for await (const bytes of received.chunks()) {
      if (!over) await exchange.onBytes?.(bytes);
    }
    if (!over) exchange.onBytesEnd?.();
  }

  async function pour(input: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    for await (const bytes of input) await writer.bytes(id, bytes, window);
    if (!over) writer.json({ id, end: true });
  }

  /** The consumer or the source on this side failed, unless what it choked on is the toolbox's fault. */
  function failHere(error: unknown): void {
    if (over) return;
    fail(error instanceof Error ? error : new Error(String(error)));
    if (error instanceof SandboxError && error.code === 'malformed') onMalformed(error);
    else writer.json({ id, cancel: true });
  }

  const consumed = consume();
  consumed.catch(failHere);
  try {
    writer.json({ id, method, params: exchange.params });
    exchange.signal?.addEventListener('abort', cancel);
    if (exchange.input !== undefined) pour(exchange.input).catch(failHere);
  } catch (error) {
    // Too large for a frame: nothing has been sent, so there is nothing to cancel.
    fail(error as Error);
  }

  return {
    result: settled.promise,
    receive: received.push,
    grant: (byteCount) => window.grant(byteCount),
    succeed(value) {
      received.end();
      const parsed = exchange.result.safeParse(value);
      if (!parsed.success) {
        const error = new SandboxError('malformed', `the toolbox's answer to ${method} is not as agreed`);
        fail(error);
        onMalformed(error);
        return;
      }
      consumed.then(() => {
        finish();
        settled.resolve(parsed.data);
      }, failHere);
    },
    refuse(error) {
      received.end();
      fail(error);
    },
    fail,
  };
}
