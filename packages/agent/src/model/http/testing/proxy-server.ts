/** A forward proxy on loopback: tunnels CONNECT requests, and forwards requests with an absolute URL. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyServer {
  /** With credentials, if the proxy requires them. */
  url: string;
  port: number;
  /** The method and target of every request that reached the proxy. */
  requests: string[];
  close(): void;
}

export interface ProxyOptions {
  /** As `user:password`, percent-encoded. Other requests are answered with 407. */
  credentials?: string;
  /** Answers every request with this status instead of forwarding it. */
  refuseWith?: number;
  /** Never answers. */
  hangs?: boolean;
}

export async function startProxy({
  credentials,
  refuseWith,
  hangs,
}: ProxyOptions = {}): Promise<ProxyServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const expected = credentials && `Basic ${btoa(decodeURIComponent(credentials))}`;
  const refusalOf = ({ headers }: IncomingMessage) =>
    expected && headers['proxy-authorization'] !== expected ? 407 : refuseWith;

  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const status = refusalOf(incoming);
    if (hangs) return;
    if (status !== undefined) response.writeHead(status).end('refused by the proxy');
    else forwardTo(incoming, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (incoming, socket: Socket) => {
    requests.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => {});
    const status = refusalOf(incoming);
    if (hangs) return;
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`,
    port,
    requests,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function forwardTo(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '' } = incoming;
  const upstream = forward(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.writeHead(502).end('the upstream is not reachable'));
  incoming.pipe(upstream);
}
