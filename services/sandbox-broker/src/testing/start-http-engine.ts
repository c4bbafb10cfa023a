import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { connectEngine } from '../engine/connect-engine.ts';

/** An engine that answers as the test says. */
export async function startHttpEngine(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return connectEngine(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
