// The closed set of requests. None has a body; a start hands its connection over to the toolbox.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  FettleError,
  type SandboxList,
  type StartSandbox,
  sandboxIdHeader,
  startSandboxSchema,
  toolboxUpgrade,
} from '@fettle/contract';
import type { Log } from '@fettle/log';
import { z } from 'zod';
import { requireKey } from './authentication.ts';
import { refreshUsage } from './sandboxes/refresh-usage.ts';
import type { BrokerSandbox } from './sandboxes/sandbox.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';

const limits = { headerBytes: 8 * 1024, headersMs: 10_000, requestMs: 120_000, connections: 1_000 };

export interface ServerOptions {
  key: string;
  sandboxes: Sandboxes;
  log: Log;
}

export function createBrokerServer({ key, sandboxes, log }: ServerOptions): Server {
  const authenticate = requireKey(key);
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: 5_000,
  });
  server.maxConnections = limits.connections;

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { method, url } = readTarget(request);
    if (method === 'GET' && url.pathname === '/healthz') return { ok: true };
    authenticate(request.headers.authorization);
    refuseBody(request);
    if (method === 'GET' && url.pathname === '/v1/sandboxes') return describeAll(sandboxes.list());
    const [, id = '', usage] = /^\/v1\/sandboxes\/([0-9a-f-]{36})(\/usage)?$/.exec(url.pathname) ?? [];
    if (method === 'GET' && usage !== undefined) return (await refreshUsage(find(id))) ?? {};
    if (method === 'DELETE' && id !== '' && usage === undefined) {
      return (await sandboxes.end(id, 'stopped')) ?? find(id);
    }
    throw new FettleError('not_found', 'there is no such request');
  }

  function find(id: string): BrokerSandbox {
    const sandbox = sandboxes.find(id);
    if (sandbox === undefined) throw new FettleError('not_found', 'there is no such sandbox');
    return sandbox;
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request).then(
      (body) => send(response, 200, body),
      (error) => {
        const refusal = toRefusal(error, log);
        send(response, refusal.status, refusal.toBody());
      },
    );
  });

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(0);
    socket.setNoDelay(true);
    let accepted = false;
    const accept = (id: string): void => {
      accepted = true;
      const lines = ['HTTP/1.1 101 Switching Protocols', `Upgrade: ${toolboxUpgrade}`, 'Connection: Upgrade'];
      socket.write(`${[...lines, `${sandboxIdHeader}: ${id}`].join('\r\n')}\r\n\r\n`);
    };
    Promise.resolve()
      .then(() => {
        const start = readStart(request, authenticate);
        if (head.length > 0) socket.unshift(head);
        return sandboxes.start(start, socket, accept);
      })
      .catch((error) => {
        if (accepted) socket.destroy();
        else refuseUpgrade(socket, toRefusal(error, log));
      });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

function readTarget({ method, url = '' }: IncomingMessage): { method: string | undefined; url: URL } {
  const parsed = URL.parse(url, 'http://broker');
  if (parsed === null || !url.startsWith('/'))
    throw new FettleError('bad_request', 'the address cannot be read');
  return { method, url: parsed };
}

function refuseBody({ headers }: IncomingMessage): void {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
    throw new FettleError('bad_request', 'no request has a body');
  }
}

function readStart(
  request: IncomingMessage,
  authenticate: (authorization: string | undefined) => void,
): StartSandbox {
  authenticate(request.headers.authorization);
  refuseBody(request);
  const { method, url } = readTarget(request);
  if (method !== 'POST' || url.pathname !== '/v1/sandboxes' || request.headers.upgrade !== toolboxUpgrade) {
    throw new FettleError('not_found', 'there is no such request');
  }
  const pairs = [...url.searchParams];
  const query = Object.fromEntries(pairs);
  if (Object.keys(query).length !== pairs.length)
    throw new FettleError('bad_request', 'a field is there twice');
  const parsed = startSandboxSchema.safeParse(query);
  if (!parsed.success) throw new FettleError('bad_request', z.prettifyError(parsed.error));
  return parsed.data;
}

function describeAll(sandboxes: BrokerSandbox[]): SandboxList {
  return {
    sandboxes: sandboxes.map(({ id, image, request, startedAt, expiresAt, usage }) => ({
      id,
      image,
      ...(request.operation !== undefined && { operation: request.operation }),
      ...(request.owner !== undefined && { owner: request.owner }),
      startedAt: startedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      ...(usage !== undefined && { usage }),
    })),
  };
}

function toRefusal(error: unknown, log: Log): FettleError {
  if (error instanceof FettleError) return error;
  log.error({ err: error }, 'a request failed');
  return new FettleError('unavailable', error instanceof Error ? error.message : 'the request failed');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function refuseUpgrade(socket: Socket, refusal: FettleError): void {
  const text = JSON.stringify(refusal.toBody());
  const head = [
    `HTTP/1.1 ${refusal.status} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
