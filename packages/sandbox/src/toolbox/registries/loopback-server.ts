/**
 * The registry that package managers see: plain HTTP on loopback, GET and HEAD only. Each registry has its own port, because
 * npm 10 fails if the URL of a registry has a path. The server knows nothing about registries: every request goes to the
 * host, which checks it again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FetchDesk, refuse } from './fetch-desk.ts';

const maxHeaderBytes = 16 * 1024;
const maxPathLength = 1024;
const maxAcceptLength = 500;
const maxOpenConnections = 256;
const headersTimeoutMs = 15_000;

export async function startLoopbackServer(desk: FetchDesk, registry: string): Promise<number> {
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    // Ignore clients that disconnect.
    response.on('error', () => {});
    receive(desk, registry, request, response);
  });
  server.maxConnections = maxOpenConnections;
  server.headersTimeout = headersTimeoutMs;
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function receive(
  desk: FetchDesk,
  registry: string,
  { method, url: path = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (method !== 'GET' && method !== 'HEAD') {
    refuse(response, 405, `${method} is not supported: packages can only be downloaded.`);
    return;
  }
  if (path.length > maxPathLength) {
    refuse(response, 414, `A path of ${path.length} characters exceeds the limit of ${maxPathLength}.`);
    return;
  }
  if (!path.startsWith('/')) {
    refuse(response, 400, 'This server is not a proxy: the path must begin with a slash.');
    return;
  }
  const accept = headers.accept?.slice(0, maxAcceptLength) ?? '';
  if (!desk.add({ registry, method, path, accept }, response)) {
    refuse(response, 429, 'Too many requests at once.');
  }
}
