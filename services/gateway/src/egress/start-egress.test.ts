import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLog } from '@fettle/log';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { startEgress } from './start-egress.ts';

const log = createLog('test', 'silent', (line) => line);

/** Loopback is never allowed, so targets on loopback are behind a proxy. */
async function open(settings: Record<string, string> = {}) {
  const egress = await startEgress({ config: readConfig(settings), log, port: 0 });
  onTestFinished(egress.stop);
  return egress.port;
}

async function openTarget(): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming);
    response.end(`hello ${incoming.method} ${incoming.url}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

/** A proxy of a company: it connects to any loopback port, whatever the host. */
async function openCompanyProxy(): Promise<{ port: number; asked: string[]; credentials: unknown[] }> {
  const [asked, credentials]: [string[], unknown[]] = [[], []];
  const proxy = createServer();
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, caller: Socket) => {
    asked.push(url);
    credentials.push(headers['proxy-authorization']);
    const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      caller.write('HTTP/1.1 200 OK\r\n\r\n');
      caller.pipe(target).pipe(caller);
    });
    for (const socket of [caller, target]) socket.on('error', () => socket.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { port: (proxy.address() as AddressInfo).port, asked, credentials };
}

async function getThrough(port: number, path: string, headers = {}) {
  const asked = get({ port, path, headers, agent: new Agent() });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

async function connectThrough(port: number, authority: string) {
  const asked = request({ port, method: 'CONNECT', path: authority, agent: false }).end();
  const [response, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket];
  onTestFinished(() => void socket.destroy());
  return { status: response.statusCode, socket };
}

test.each(['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1'])('refuses %s', async (host) => {
  const port = await open();
  const target = await openTarget();
  expect((await getThrough(port, `http://${host}:${target.port}/`)).status).toBe(403);
  expect((await connectThrough(port, `${host}:${target.port}`)).status).toBe(403);
  expect(target.seen).toEqual([]);
});

test('refuses a host that is not listed', async () => {
  const port = await open({ FETTLE_EGRESS_HOSTS: 'api.example.com' });
  const { status, body } = await getThrough(port, 'http://other.example.com/');
  expect({ status, body }).toEqual({
    status: 403,
    body: 'other.example.com may not be reached: FETTLE_EGRESS_HOSTS does not list it\n',
  });
});

test('passes requests and tunnels on through the proxy of the operator', async () => {
  const company = await openCompanyProxy();
  const login = ['user', 'p%40ss'].join(':');
  const address = `http://${login}@127.0.0.1:${company.port}`;
  const port = await open({ HTTP_PROXY: address, HTTPS_PROXY: address });
  const target = await openTarget();
  const place = `service.example.com:${target.port}`;
  const answer = await getThrough(port, `http://${place}/path?query`, {
    'proxy-authorization': 'x',
    own: 'y',
  });
  expect(answer).toEqual({ status: 200, body: 'hello GET /path?query' });
  expect(target.seen[0]?.headers).toMatchObject({ host: place, own: 'y' });
  expect(target.seen[0]?.headers['proxy-authorization']).toBeUndefined();

  const { status, socket } = await connectThrough(port, place);
  expect(status).toBe(200);
  socket.write('GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect(await text(socket)).toContain('hello GET /tunnel');
  expect(company.asked).toEqual([place, place]);
  expect(new Set(company.credentials)).toEqual(new Set([`Basic ${btoa('user:p@ss')}`]));
  expect((await getThrough(port, 'http://169.254.169.254/')).status).toBe(403);
});

test('answers 502 when a host cannot be reached', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port: unused } = closed.address() as AddressInfo;
  closed.close();
  const port = await open({ HTTP_PROXY: `http://127.0.0.1:${unused}` });
  expect((await getThrough(port, 'http://api.example.com/')).status).toBe(502);
});
