/** Serves the requests of one host, several at once, over one stream. */
import type { Readable, Writable } from 'node:stream';
import { createFrameWriter } from '../protocol/frame-writer.ts';
import { createFrameParser, type Frame } from '../protocol/frames.ts';
import { createReceiveQueue, type ReceiveQueue } from '../protocol/receive-queue.ts';
import type { HostMessage, HostRequest } from '../protocol/requests.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import type { Hello } from '../protocol/schemas.ts';
import { createSendWindow, type SendWindow } from '../protocol/send-window.ts';
import { describeFailure } from './describe-failure.ts';
import { findMethod } from './methods.ts';
import type { Toolbox } from './toolbox.ts';

/** What a handler gets besides its parameters. */
export interface Call {
  signal: AbortSignal;
  input: AsyncIterable<Buffer>;
  send(bytes: Buffer): Promise<void>;
}

interface OpenCall {
  input: ReceiveQueue;
  window: SendWindow;
  abort: AbortController;
  answered: Promise<void>;
}

export interface ServeOptions {
  input: Readable;
  output: Writable;
  onEnd: () => void;
}

export function serve(toolbox: Toolbox, { input, output, onEnd }: ServeOptions) {
  const writer = createFrameWriter(output);
  const open = new Map<number, OpenCall>();
  let hasRequest = false;

  function begin(id: number, method: string, params: unknown): void {
    hasRequest = true;
    const call: OpenCall = {
      input: createReceiveQueue((credit) => writer.json({ id, credit })),
      window: createSendWindow(),
      abort: new AbortController(),
      answered: Promise.resolve(),
    };
    open.set(id, call);
    call.answered = answer(id, call, { method, params });
  }

  async function answer(
    id: number,
    call: OpenCall,
    { method, params }: Omit<HostRequest, 'id'>,
  ): Promise<void> {
    try {
      const handler = await findMethod(method);
      if (handler === undefined) throw new SandboxError('bad_request', `unknown method ${method}`);
      const result = await handler(toolbox, params as never, {
        signal: call.abort.signal,
        input: call.input.chunks(),
        send: (bytes) => writer.bytes(id, bytes, call.window),
      });
      writer.json({ id, ok: true, result });
    } catch (error) {
      const { aborted, reason } = call.abort.signal;
      writer.json({ id, ok: false, error: describeFailure(aborted ? reason : error) });
    } finally {
      open.delete(id);
    }
  }

  function cancel(call: OpenCall): void {
    const reason = new SandboxError('cancelled', 'the request was cancelled');
    call.abort.abort(reason);
    call.input.end(reason);
  }

  function onFrame(frame: Frame): void {
    if (frame.kind === 'bytes') {
      // Ignore bytes for a request that has already failed: they were in transit.
      open.get(frame.id)?.input.push(frame.bytes);
      return;
    }
    const message = frame.value as HostMessage;
    if ('method' in message) {
      begin(message.id, message.method, message.params);
      return;
    }
    const call = open.get(message.id);
    if (call === undefined) return;
    if ('credit' in message) call.window.grant(message.credit);
    else if ('end' in message) call.input.end();
    else cancel(call);
  }

  const parse = createFrameParser(onFrame);
  input.on('data', (chunk: Buffer) => {
    try {
      parse(chunk);
    } catch {
      // The host never sends an invalid frame, so the stream itself is broken.
      onEnd();
    }
  });
  for (const event of ['end', 'close', 'error']) input.on(event, onEnd);
  for (const event of ['close', 'error']) output.on(event, onEnd);

  return {
    sendHello: (hello: Hello) => writer.json(hello),
    /** Whether the host has sent a request yet. */
    hasRequests: () => hasRequest,
    async cancelAll(): Promise<void> {
      const calls = [...open.values()];
      for (const call of calls) {
        cancel(call);
        call.window.close(new SandboxError('ended', 'the host is gone'));
      }
      await Promise.all(calls.map(({ answered }) => answered));
    },
  };
}
