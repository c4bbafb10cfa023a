import { once } from 'node:events';
import { connect } from 'node:net';
import type { Finding } from './diagnosis.ts';

const limitMs = 3_000;

/** Whether anybody listens there; what it says is for the service that uses it. */
export async function examineAddress(name: string, address: string | undefined): Promise<Finding> {
  if (address === undefined) return { name, state: 'ok', message: 'not set: an embedded one is used' };
  const url = URL.parse(address);
  if (!url) return { name, state: 'problem', message: 'is not an address', advice: 'Correct or unset it.' };
  const port = Number(url.port) || (name === 'REDIS_URL' ? 6379 : 5432);
  const socket = connect(url.protocol === 'unix:' ? { path: url.pathname } : { host: url.hostname, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) });
    return { name, state: 'ok', message: 'somebody answers there' };
  } catch {
    // The address may hold a password, so that it is not repeated.
    return { name, state: 'problem', message: 'nobody answers there', advice: 'Correct or unset it.' };
  } finally {
    socket.destroy();
  }
}
