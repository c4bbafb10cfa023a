/** The host's side of the stream. Input is untrusted: the first invalid frame ends the sandbox. */
import type { Readable, Writable } from 'node:stream';
import type { z } from 'zod';
import type { ToolboxEnd } from '../backends/backend.ts';
import { createFrameWriter } from '../protocol/frame-writer.ts';
import { createFrameParser, type Frame } from '../protocol/frames.ts';
import { type Method, protocolVersion, type Requests } from '../protocol/requests.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { type Hello, helloSchema, incomingSchema } from '../protocol/schemas.ts';
import { createPendingRequest, type PendingRequest } from './pending-request.ts';

export interface Exchange<M extends Method> {
  params: Requests[M]['params'];
  result: z.ZodType<Requests[M]['result']>;
  input?: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Consumes the bytes of the response. The toolbox waits while it is busy. */
  onBytes?: (bytes: Buffer) => void | Promise<void>;
  /** Called after the last byte of a successful request. */
  onBytesEnd?: () => void;
  timeoutMs: number;
  /** Asks the toolbox to cancel. The request then ends with the toolbox's response. */
  signal?: AbortSignal | undefined;
}

export interface Connection {
  hello: Promise<Hello>;
  hasEnded(): boolean;
  request<M extends Method>(method: M, exchange: Exchange<M>): Promise<Requests[M]['result']>;
  /** All open and future requests fail with this error. Only the first call has an effect. */
  end(error: SandboxError): void;
  /** The same, and calls `onFailure`, which stops the toolbox without a grace period. */
  fail(error: SandboxError): void;
}

export interface ConnectionOptions {
  input: Writable;
  output: Readable;
  helloTimeoutMs: number;
  /** The toolbox's standard error, for the message when it exits unexpectedly. */
  errorOutput: () => string;
  /** Why the stream ended. By default, the toolbox has ended. */
  findEnd?: (() => Promise<ToolboxEnd>) | undefined;
  onFailure: (error: SandboxError) => void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { input, output, helloTimeoutMs, errorOutput, onFailure } = options;
  const writer = createFrameWriter(input);
  const pending = new Map<number, PendingRequest>();
  const hello = Promise.withResolvers<Hello>();
  let hasHello = false;
  let lastId = 0;
  let ended: SandboxError | undefined;

  // Callers of `request` need not handle a rejected hello too.
  hello.promise.catch(() => {});
  const helloTimer = setTimeout(() => {
    fail(new SandboxError('timeout', `the toolbox did not say hello within ${helloTimeoutMs} ms`));
  }, helloTimeoutMs);

  function end(error: SandboxError): void {
    if (ended !== undefined) return;
    ended = error;
    clearTimeout(helloTimer);
    hello.reject(error);
    for (const request of pending.values()) request.fail(error);
    pending.clear();
  }

  function fail(error: SandboxError): void {
    if (ended !== undefined) return;
    end(error);
    onFailure(error);
  }

  function onFrame(frame: Frame): void {
    if (!hasHello) {
      hasHello = true;
      clearTimeout(helloTimer);
      hello.resolve(parseHello(frame));
    } else if (frame.kind === 'bytes') {
      if (!findPending(frame.id).receive(frame.bytes)) {
        throw new SandboxError('malformed', 'the toolbox sent more bytes than it had credit for');
      }
    } else {
      onMessage(frame.value);
    }
  }

  function onMessage(value: unknown): void {
    const parsed = incomingSchema.safeParse(value);
    if (!parsed.success) throw new SandboxError('malformed', 'the toolbox sent an invalid message');
    const message = parsed.data;
    const request = findPending(message.id);
    if ('credit' in message) {
      if (request.grant(message.credit)) return;
      throw new SandboxError('malformed', 'the toolbox gave credit for bytes that it never received');
    }
    pending.delete(message.id);
    if (message.ok) request.succeed(message.result);
    else request.refuse(new SandboxError(message.error.code, message.error.message));
  }

  function findPending(id: number): PendingRequest {
    const request = pending.get(id);
    if (request === undefined)
      throw new SandboxError('malformed', `the toolbox answered request ${id}, which is not open`);
    return request;
  }

  const parse = createFrameParser(onFrame);
  output.on('data', (chunk: Buffer) => {
    if (ended !== undefined) return;
    try {
      parse(chunk);
    } catch (error) {
      fail(
        error instanceof SandboxError
          ? error
          : new SandboxError('malformed', 'the stream cannot be parsed', { cause: error }),
      );
    }
  });
  const failEnded = (end: ToolboxEnd): void => {
    const stderr = errorOutput().trim();
    const what = end === 'broker_away' ? 'the sandbox broker went away' : 'the toolbox has ended';
    const code = end === 'broker_away' ? 'unavailable' : 'ended';
    fail(new SandboxError(code, stderr === '' ? what : `${what}: ${stderr}`));
  };
  const onEnd = (): void => {
    if (options.findEnd === undefined) failEnded('toolbox_ended');
    else void options.findEnd().then(failEnded);
  };
  output.on('end', onEnd);
  output.on('close', onEnd);
  output.on('error', onEnd);
  input.on('error', onEnd);

  return {
    hello: hello.promise,
    hasEnded: () => ended !== undefined,
    end,
    fail,
    async request(method, exchange) {
      if (ended !== undefined) throw ended;
      if (exchange.signal?.aborted)
        throw new SandboxError('cancelled', `${method} was cancelled before it started`);
      lastId += 1;
      const request = createPendingRequest({ id: lastId, method, exchange, writer, onMalformed: fail });
      pending.set(lastId, request);
      return request.result as Promise<never>;
    },
  };
}

function parseHello(frame: Frame): Hello {
  const value = frame.kind === 'json' ? frame.value : undefined;
  const parsed = helloSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const protocol = (value as { protocol?: unknown } | null | undefined)?.protocol;
  if (typeof protocol === 'number' && protocol !== protocolVersion) {
    throw new SandboxError(
      'wrong_protocol',
      `the toolbox speaks protocol ${protocol}, this worker ${protocolVersion}: both must be of the same release`,
    );
  }
  throw new SandboxError('malformed', 'the first message of the toolbox is not a hello');
}
