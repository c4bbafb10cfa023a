import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { type Event, eventSchema } from '@fettle/contract';
import { createParser } from 'eventsource-parser';
import { CliError, exitCodes } from '../cli-error.ts';
import { readFailure, type Server, unreachable } from './api-client.ts';
import { defaultAwayTimeoutMs, reconnectBackoff } from './retry-while-away.ts';

/** More than the longest event that Fettle sends, so that a foreign server cannot fill the memory. */
const maxEventCharacters = 8_000_000;

export interface FollowOptions {
  server: Server;
  operationId: string;
  signal: AbortSignal;
  /** How long the server may be away before following fails. */
  awayTimeoutMs?: number;
}

/** Yields every event of an operation once and in order, and reconnects as often as needed. Ends with the stream. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Event> {
  const { signal, awayTimeoutMs = defaultAwayTimeoutMs } = options;
  let position = 0;
  let tries = 0;
  let connectedAt = performance.now();
  while (!signal.aborted) {
    try {
      const response = await connect(options, position);
      if (response.status === 204 || !response.body) return;
      try {
        for await (const event of readEvents(response.body)) {
          tries = 0;
          if (event.position <= position) continue;
          position = event.position;
          yield event;
        }
      } finally {
        // An open connection proves that the server is there, even if it sends nothing.
        connectedAt = performance.now();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CliError && error.exitCode !== exitCodes.unavailable) throw error;
      if (performance.now() - connectedAt > awayTimeoutMs) throw unreachable(options.server.url, error);
    }
    await sleep(backoffMs(tries, reconnectBackoff), undefined, { signal }).catch(() => {});
    tries += 1;
  }
}

async function connect({ server, operationId, signal }: FollowOptions, position: number): Promise<Response> {
  const path = `/v1/operations/${encodeURIComponent(operationId)}/events`;
  const response = await fetch(new URL(path, server.url), {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${server.token}`,
      ...(position > 0 && { 'last-event-id': String(position) }),
    },
    signal,
  });
  if (!response.ok) throw await readFailure(response);
  return response;
}

async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  const received: string[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: ({ data }) => received.push(data),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const data of received.splice(0)) {
      const event = eventSchema.safeParse(JSON.parse(data));
      // A newer server may send events that this CLI does not know.
      if (event.success) yield event.data;
    }
  }
}
