/** Waits until a starting redis-server answers PING. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;
const silenceTimeoutMs = 30_000;

/** Loading the data may take any length of time, as long as the server answers that it is loading. */
export async function waitUntilReady(socket: string, exited: Promise<unknown>): Promise<void> {
  let hasExited = false;
  const markExited = () => {
    hasExited = true;
  };
  exited.then(markExited, markExited);
  let deadline = Date.now() + silenceTimeoutMs;
  while (!hasExited) {
    const answer = await ping(socket);
    if (answer.startsWith('+PONG')) return;
    if (answer.startsWith('-LOADING')) deadline = Date.now() + silenceTimeoutMs;
    if (Date.now() > deadline) throw new Error(`it did not answer for ${silenceTimeoutMs / 1000} s`);
    await sleep(pollMs);
  }
  throw new Error('it exited while starting');
}

/** Sends one PING on a new connection. Every failure is an empty answer. */
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
