/** An HTTP proxy on loopback for tests: absolute URIs for http, CONNECT tunnels for https, Basic authentication. */
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TestProxy {
  /** With the credentials, where there are any. */
  url: string;
  /** `GET http://127.0.0.1:1/left-pad` or `CONNECT 127.0.0.1:1`, in order. */
  requests: string[];
  /** The decoded `proxy-authorization` headers that differ from each other. */
  credentials: Set<string>;
}

/** Refuses every request without these credentials, where some are given. */
export async function startTestProxy({ credentials }: { credentials?: string } = {}): Promise<TestProxy> {
  const requests: string[] = [];
  const seen = new Set<string>();
  const sockets = new Set<Socket>();

  function isAllowed({ method, url, headers }: IncomingMessage): boolean {
    requests.push(`${method} ${url}`);
    const [, encoded] = /^Basic (.*)$/.exec(headers['proxy-authorization'] ?? '') ?? [];
    const given = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
    if (given !== undefined) seen.add(given);
    return credentials === undefined || given === credentials;
  }

  const server = createServer((request, response) => {
    if (!isAllowed(request)) return void response.writeHead(407, challenge).end();
    const { 'proxy-authorization': _authorization, ...headers } = request.headers;
    const onward = sendRequest(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    sockets.add(client);
    client.on('error', () => {});
    if (!isAllowed(request)) {
      return void client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n',
      );
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const userInfo = credentials === undefined ? '' : `${credentials}@`;
  return { url: `http://${userInfo}127.0.0.1:${port}`, requests, credentials: seen };
}

const challenge = { 'proxy-authenticate': 'Basic realm="proxy"' };
