import { once } from 'node:events';
import { connect } from 'node:net';
import type { Diagnosis } from './diagnosis.ts';

const timeoutMs = 3_000;

/** Checks only that something listens at the address. The service that uses it checks the rest. */
export async function examineAddress(name: string, address: string | undefined): Promise<Diagnosis> {
  if (address === undefined) return { name, state: 'ok', message: 'not set; the embedded one is used' };
  const url = URL.parse(address);
  if (!url) return { name, state: 'problem', message: 'not a valid URL', advice: 'Correct or unset it.' };
  const port = Number(url.port) || (name === 'REDIS_URL' ? 6379 : 5432);
  const socket = connect(url.protocol === 'unix:' ? { path: url.pathname } : { host: url.hostname, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return { name, state: 'ok', message: 'reachable' };
  } catch {
    // The URL may contain a password, so it is not printed.
    return { name, state: 'problem', message: 'not reachable', advice: 'Correct or unset it.' };
  } finally {
    socket.destroy();
  }
}
