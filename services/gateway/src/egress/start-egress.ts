/** An HTTP proxy, the only way out for workers: CONNECT for https, absolute URLs for http. It caches and stores nothing. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@fettle/log';
import type { Config } from '../config.ts';
import { joinStreams } from '../join-streams.ts';
import { findMachineAddresses } from './find-machine.ts';
import { RefusedError, reachTarget, type Target } from './reach-target.ts';

/** They are for one connection only, or for the proxy itself. */
const ownHeaders = /^(?:proxy-.*|connection|keep-alive|te|trailer|upgrade)$/;

export interface EgressOptions {
  config: Config;
  log: Log;
  port: number;
  /** For tests, whose targets are on this machine. */
  machine?: string[];
}

export async function startEgress({ config, log, port, machine = findMachineAddresses() }: EgressOptions) {
  const reach = async (target: Target, scheme: 'http' | 'https'): Promise<Socket> => {
    try {
      return await reachTarget(target, scheme, { config, machine });
    } catch (error) {
      if (error instanceof RefusedError) log.warn({ ...target }, error.message);
      else log.info({ ...target, err: error }, 'a host cannot be reached');
      throw error;
    }
  };

  async function passOn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.url === '/healthz') return answer(response, 200, 'ok');
    const url = URL.parse(incoming.url ?? '');
    if (url?.protocol !== 'http:') return answer(response, 400, 'a proxy needs an absolute http URL');
    try {
      const socket = await reach({ host: bare(url.hostname), port: Number(url.port || 80) }, 'http');
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => !ownHeaders.test(name)),
      );
      const onward = request({
        method: incoming.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host },
        createConnection: () => socket,
      });
      onward.on('response', (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(response);
      });
      onward.on('error', (error) => answer(response, 502, error.message));
      response.on('close', () => socket.destroy());
      incoming.pipe(onward);
    } catch (error) {
      answer(response, error instanceof RefusedError ? 403 : 502, (error as Error).message);
    }
  }

  const server = createServer((incoming, response) => void passOn(incoming, response));
  server.on('connect', async (incoming: IncomingMessage, caller: Duplex, head: Buffer) => {
    caller.on('error', () => caller.destroy());
    const target = parseTarget(incoming.url ?? '');
    if (target === undefined) return void caller.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    try {
      const socket = await reach(target, 'https');
      caller.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) socket.write(head);
      joinStreams(caller, socket);
    } catch (error) {
      caller.end(`HTTP/1.1 ${error instanceof RefusedError ? '403 Forbidden' : '502 Bad Gateway'}\r\n\r\n`);
    }
  });
  // A model may think for minutes before it answers.
  server.requestTimeout = 0;
  server.listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
}

function parseTarget(authority: string): Target | undefined {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(authority) ?? [];
  return host === '' ? undefined : { host: bare(host), port: Number(port) };
}

/** IPv6 addresses have brackets in a URL. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
