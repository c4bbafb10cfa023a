/**
 * A port for a service whose address must be known before it starts and stays the same over restarts. It is below the
 * kernel's ephemeral ports, so no connection and no other server can take it in the meantime.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 10_240;
const firstOfKernel = 32_768;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, firstOfKernel);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
