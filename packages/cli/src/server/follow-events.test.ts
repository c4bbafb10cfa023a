import type { IncomingMessage, RequestListener } from 'node:http';
import type { Event } from '@fettle/contract';
import { expect, test } from 'vitest';
import { eventAt } from '../testing/event.ts';
import { openServer } from '../testing/open-server.ts';
import { followEvents } from './follow-events.ts';

/** Each connection gets the next answer. The last answer is repeated. */
async function serve(...answers: RequestListener[]): Promise<{ url: string; token: string }> {
  const url = await openServer((request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(request, response);
  });
  return { url, token: 'secret' };
}

/** As after an operation has ended. */
const nothingMore: RequestListener = (_, response) => response.writeHead(204).end();

const notice = (position: number): Event =>
  eventAt({ type: 'notice', level: 'info', code: 'x', message: `number ${position}` }, position);

const wire = (...events: Event[]): string =>
  events
    .map((event) => `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

async function collect(at: { url: string; token: string }, awayTimeoutMs?: number): Promise<number[]> {
  const positions: number[] = [];
  const options = { server: at, operationId: 'op_1', signal: new AbortController().signal };
  for await (const event of followEvents({
    ...options,
    ...(awayTimeoutMs !== undefined && { awayTimeoutMs }),
  }))
    positions.push(event.position);
  return positions;
}

test('reconnects where the connection was cut, and yields no event twice', async () => {
  const asked: (string | undefined)[] = [];
  const note = ({ headers }: IncomingMessage) => asked.push(headers['last-event-id'] as string | undefined);
  const at = await serve(
    (request, response) => {
      note(request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Cut in the middle of the second event.
      response.write(wire(notice(1)) + wire(notice(2)).slice(0, 20));
      setTimeout(() => response.destroy(), 20);
    },
    (request, response) => {
      note(request);
      response.writeHead(503).end();
    },
    (request, response) => {
      note(request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(wire(notice(1), notice(2), notice(3)));
    },
    (request, response) => {
      note(request);
      response.writeHead(204).end();
    },
  );
  expect(await collect(at)).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, '1', '1', '3']);
});

test('skips unknown events of a newer server', async () => {
  const unknown = { ...notice(2), type: 'weather.changed' } as unknown as Event;
  const at = await serve(
    (_, response) => response.writeHead(200).end(wire(notice(1), unknown, notice(3))),
    nothingMore,
  );
  expect(await collect(at)).toEqual([1, 3]);
});

test('a refused request fails at once, with the message of the server', async () => {
  const error = { code: 'unauthorized', message: 'this token is not known', advice: 'Send a valid token.' };
  const at = await serve((_, response) => response.writeHead(401).end(JSON.stringify({ error })));
  await expect(collect(at)).rejects.toMatchObject({ ...error, exitCode: 3 });
});

test('gives up when the server stays away', async () => {
  const at = await serve((_, response) => response.destroy());
  await expect(collect(at, 500)).rejects.toMatchObject({ code: 'server_unreachable', exitCode: 4 });
});

test('the timeout starts when the server goes away, not with the last event', async () => {
  const at = await serve(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(wire(notice(1)));
      setTimeout(() => response.destroy(), 2_500);
    },
    (_, response) => response.destroy(),
    (_, response) => response.writeHead(503).end(),
    (_, response) => response.writeHead(200).end(wire(notice(2))),
    nothingMore,
  );
  expect(await collect(at, 2_000)).toEqual([1, 2]);
});

test.each([1, 3, 1_000])('reads events that arrive in pieces of %i bytes', async (size) => {
  const bytes = Buffer.from(
    `: keep-alive\n\n${wire({ ...notice(1), message: 'é' } as Event)}id: 2\r\ndata: ${JSON.stringify(notice(2))}\r\n\r\n`,
  );
  const at = await serve(async (_, response) => {
    response.socket?.setNoDelay();
    for (let from = 0; from < bytes.length; from += size) {
      response.write(bytes.subarray(from, from + size));
      await new Promise(setImmediate);
    }
    response.end();
  }, nothingMore);
  expect(await collect(at)).toEqual([1, 2]);
});

test.each([
  ['line', 'x'.repeat(1_000)],
  ['event', `${'x'.repeat(1_000)}\ndata: `],
])('gives up on a server whose %s never ends', async (_what, piece) => {
  const at = await serve((_, response) => response.end(`data: ${piece.repeat(9_000)}`));
  await expect(collect(at, 0)).rejects.toMatchObject({ code: 'server_unreachable' });
});
