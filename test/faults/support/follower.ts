/** Reads the events of an operation to the end; reconnects with `Last-Event-ID` when the connection breaks. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY, keepAlive: false });
const pauseMs = 300;

export interface Follower {
  /** In the order in which they arrived. */
  positions: number[];
  reconnects: number;
  done: Promise<void>;
}

export function follow(url: string, token: string): Follower {
  const follower: Follower = { positions: [], reconnects: -1, done: Promise.resolve() };

  async function connectOnce(): Promise<boolean> {
    const response = await open(url, token, follower.positions.at(-1) ?? 0);
    if (response.statusCode !== 200) {
      response.resume();
      return false;
    }
    follower.reconnects += 1;
    let isSettled = false;
    const parser = createParser({
      onEvent({ id, event }) {
        if (id !== undefined) follower.positions.push(Number(id));
        if (event === 'operation.settled') isSettled = true;
      },
    });
    response.setEncoding('utf8');
    for await (const chunk of response) {
      parser.feed(chunk);
      if (isSettled) return true;
    }
    return false;
  }

  async function run(): Promise<void> {
    for (;;) {
      if (await connectOnce().catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
    }
  }

  follower.done = run();
  return follower;
}

function open(url: string, token: string, after: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'last-event-id': String(after),
    };
    request(url, { agent, headers }, resolve).on('error', reject).end();
  });
}
