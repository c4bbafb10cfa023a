import { setTimeout as sleep } from 'node:timers/promises';
import { type Event, eventSchema } from '@fettle/contract';
import { CliError, exitCodes } from '../cli-error.ts';
import { readFailure, type Server, unreachable } from './api-client.ts';
import { createEventStreamParser } from './event-stream-parser.ts';

const firstPauseMs = 200;
const longestPauseMs = 3_000;

export interface FollowOptions {
  server: Server;
  operationId: string;
  signal: AbortSignal;
  /** How long a server may be away before following ends in an error. */
  patienceMs?: number;
}

/** Every event of an operation, once and in order, over as many connections as it takes; ends with the stream. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Event> {
  const { signal, patienceMs = 60_000 } = options;
  let position = 0;
  let pauseMs = firstPauseMs;
  let heardAt = performance.now();
  while (!signal.aborted) {
    try {
      const response = await connect(options, position);
      if (response.status === 204 || !response.body) return;
      try {
        for await (const event of readEvents(response.body)) {
          pauseMs = firstPauseMs;
          if (event.position <= position) continue;
          position = event.position;
          yield event;
        }
      } finally {
        // While a connection stands the server is there, also where it has nothing to tell.
        heardAt = performance.now();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CliError && error.exitCode !== exitCodes.unavailable) throw error;
      if (performance.now() - heardAt > patienceMs) throw unreachable(options.server.url, error);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
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
  const parser = createEventStreamParser();
  for await (const bytes of body) {
    for (const { data } of parser.push(bytes)) {
      const event = eventSchema.safeParse(JSON.parse(data));
      // A newer server may tell of things that this CLI does not know.
      if (event.success) yield event.data;
    }
  }
}
