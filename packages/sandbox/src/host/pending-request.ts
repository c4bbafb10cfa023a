/** An open request: its bytes in both directions, its timeout, and its end. */
import type { FrameWriter } from '../protocol/frame-writer.ts';
import { createReceiveQueue } from '../protocol/receive-queue.ts';
import type { Method } from '../protocol/requests.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { createSendWindow } from '../protocol/send-window.ts';
import type { Exchange } from './connection.ts';

/** The toolbox gives a cancelled command a moment to exit, then kills it. */
const cancelLimitMs = 10_000;

export interface PendingRequest {
  result: Promise<unknown>;
  /** Returns false if the toolbox exceeded its window. */
  receive(bytes: Buffer): boolean;
  /** Returns false if the toolbox gave credit for more than it received. */
  grant(byteCount: number): boolean;
  succeed(result: unknown): void;
  refuse(error: SandboxError): void;
  /** Ends the request at once. `refuse` is for an error response of the toolbox, which comes after its bytes. */
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
  let timer = setTimeout(timeOut, exchange.timeoutMs);

  function timeOut(): void {
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    fail(new SandboxError('timeout', `${method} was not answered within ${seconds} s`));
    // The request stays registered: late bytes are dropped, and a late response is legal.
    writer.json({ id, cancel: true });
  }

  function cancel(): void {
    writer.json({ id, cancel: true });
    clearTimeout(timer);
    timer = setTimeout(timeOut, cancelLimitMs);
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

  async function sendInput(input: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    for await (const bytes of input) await writer.bytes(id, bytes, window);
    if (!over) writer.json({ id, end: true });
  }

  /** The consumer or the input on this side failed. An error `malformed` means that the toolbox is at fault. */
  function failLocally(error: unknown): void {
    if (over) return;
    fail(error instanceof Error ? error : new Error(String(error)));
    if (error instanceof SandboxError && error.code === 'malformed') onMalformed(error);
    else writer.json({ id, cancel: true });
  }

  const consumed = consume();
  consumed.catch(failLocally);
  try {
    writer.json({ id, method, params: exchange.params });
    exchange.signal?.addEventListener('abort', cancel);
    if (exchange.input !== undefined) sendInput(exchange.input).catch(failLocally);
  } catch (error) {
    // Too large for a frame. Nothing was sent, so there is nothing to cancel.
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
        const error = new SandboxError('malformed', `the toolbox sent an invalid response to ${method}`);
        fail(error);
        onMalformed(error);
        return;
      }
      consumed.then(() => {
        finish();
        settled.resolve(parsed.data);
      }, failLocally);
    },
    refuse(error) {
      received.end();
      fail(error);
    },
    fail,
  };
}
