// What package managers take for their registry: plain HTTP on loopback, GET and HEAD. Each registry has a port of its
// own, since npm 10 loses its way where a registry's address has a path. It knows nothing of registries: every request
// goes to the host, which checks it again.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetchDesk } from './fetch-desk.ts';
import { refuse } from './refuse.ts';

const maxHeaderBytes = 16 * 1024;
const maxPathLength = 1024;
const maxAcceptLength = 500;
const maxOpenConnections = 256;
const headersTimeoutMs = 15_000;

export async function startLoopbackServer(desk: FetchDesk, registry: string): Promise<number> {
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    // A client that goes away in the middle is no concern of ours.
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
    refuse(response, 405, `${method} is not carried: packages can be read and nothing can be sent.`);
    return;
  }
  if (path.length > maxPathLength) {
    refuse(response, 414, `An address of ${path.length} characters is over the ${maxPathLength} allowed.`);
    return;
  }
  if (!path.startsWith('/')) {
    refuse(response, 400, 'This is no proxy: an address here begins with a slash.');
    return;
  }
  const accept = headers.accept?.slice(0, maxAcceptLength) ?? '';
  if (!desk.bring({ registry, method, path, accept }, response)) {
    refuse(response, 429, 'Too many requests at once.');
  }
}
