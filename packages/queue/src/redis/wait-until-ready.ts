import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisExit } from './start-redis.ts';

const pollMs = 10;
const silenceMs = 30_000;

/**
 * Resolves when the server answers PING. While it says that it is loading its data it may take as long as it
 * needs; a server that says nothing for long, or ends, is an error.
 */
export async function waitUntilReady(socket: string, exited: Promise<RedisExit>): Promise<void> {
  let ended = false;
  const markEnded = () => {
    ended = true;
  };
  exited.then(markEnded, markEnded);
  let deadline = Date.now() + silenceMs;
  while (!ended) {
    const answer = await ping(socket);
    if (answer.startsWith('+PONG')) return;
    if (answer.startsWith('-LOADING')) deadline = Date.now() + silenceMs;
    if (Date.now() > deadline) throw new Error(`it did not answer for ${silenceMs / 1000} s`);
    await sleep(pollMs);
  }
  throw new Error('it ended while starting');
}

/** One PING on a connection of its own; whatever goes wrong is an empty answer. */
function ping(socket: string): Promise<string> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => connection.write('PING\r\n'));
    const finish = (answer: string) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(1_000, () => finish(''));
    connection.on('data', (bytes) => finish(bytes.toString('latin1')));
    connection.on('error', () => finish(''));
    connection.on('close', () => finish(''));
  });
}
