/** The broker's HTTP server: a fixed set of requests, of which one has a body. A start upgrades its connection to the toolbox's stream. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FettleError, type SandboxList, sandboxIdHeader, toolboxUpgrade } from '@fettle/contract';
import type { Log } from '@fettle/log';
import type { EngineHealth } from '../engine/engine-health.ts';
import { containerName } from '../sandboxes/labels.ts';
import { type BrokerSandbox, refreshUsage } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { Tools } from '../tools/tools.ts';
import { requireKey } from './authentication.ts';
import { type Connections, createConnections } from './connections.ts';
import { readStart, readTarget, readTool, refuseBody } from './read-request.ts';
import { refuseUpgrade, send } from './send-answer.ts';

const limits = {
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  requestMs: 120_000,
  checkMs: 1_000,
  maxUnauthenticated: 200,
  unauthenticatedMs: 5_000,
};

const targetPath =
  /^\/v1\/sandboxes\/(?<id>[0-9a-f-]{36})(?<what>\/usage|\/operation\/(?<operation>[A-Za-z0-9][A-Za-z0-9._-]{0,99}))?$/;
const toolPath =
  /^\/v1\/sandboxes\/(?<id>[0-9a-f-]{36})\/tools\/(?<tool>[^/]+)\/(?<version>[^/]+)\/(?<digest>[^/]+)$/;

export interface ServerOptions {
  key: string;
  sandboxes: Sandboxes;
  tools: Tools;
  /** Why no sandbox can be started, or undefined. */
  findProblem: EngineHealth;
  /** Whether the engine limits the size of volumes. */
  diskQuota: boolean;
  log: Log;
}

export function createBrokerServer({ key, sandboxes, tools, findProblem, diskQuota, log }: ServerOptions): {
  server: Server;
  connections: Connections;
} {
  const checkKey = requireKey(key);
  const connections = createConnections(limits);
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: 5_000,
  });
  server.on('connection', connections.add);

  function authenticate({ headers, socket }: IncomingMessage): void {
    checkKey(headers.authorization);
    connections.authenticate(socket);
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const { method, url } = readTarget(request);
    if (method === 'GET' && url.pathname === '/healthz') return answerHealth();
    authenticate(request);
    const added = method === 'PUT' ? toolPath.exec(url.pathname)?.groups : undefined;
    if (added !== undefined) return addTool(request, added);
    refuseBody(request);
    if (method === 'GET' && url.pathname === '/v1/sandboxes') return describeAll(sandboxes.list(), diskQuota);
    const { id, what, operation } = targetPath.exec(url.pathname)?.groups ?? {};
    if (id === undefined) throw new FettleError('not_found', 'unknown request');
    if (method === 'GET' && what === '/usage') return (await refreshUsage(find(id))) ?? {};
    if (method === 'PUT' && operation !== undefined) return assignOperation(find(id), operation);
    if (method === 'DELETE' && what === undefined) return (await sandboxes.end(id, 'stopped')) ?? find(id);
    throw new FettleError('not_found', 'unknown request');
  }

  async function answerHealth(): Promise<{ ok: true }> {
    const problem = await findProblem();
    if (problem !== undefined) throw new FettleError('unavailable', problem);
    return { ok: true };
  }

  async function addTool(request: IncomingMessage, parts: Record<string, string>): Promise<{ ok: true }> {
    const tool = readTool(request, parts);
    await tools.add(find(parts.id ?? '').toolsVolume, tool, request);
    return { ok: true };
  }

  function find(id: string): BrokerSandbox {
    const sandbox = sandboxes.find(id);
    if (sandbox === undefined) throw new FettleError('not_found', 'unknown sandbox');
    return sandbox;
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isLast = () => !connections.isAuthenticated(request.socket);
    answer(request).then(
      (body) => send(response, { status: 200, body, isLast: isLast() }),
      (error) => {
        const refusal = toRefusal(error, log);
        send(response, { status: refusal.status, body: refusal.toBody(), isLast: isLast() });
      },
    );
  });

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    let accepted = false;
    const accept = (id: string): void => {
      accepted = true;
      const lines = ['HTTP/1.1 101 Switching Protocols', `Upgrade: ${toolboxUpgrade}`, 'Connection: Upgrade'];
      socket.write(`${[...lines, `${sandboxIdHeader}: ${id}`].join('\r\n')}\r\n\r\n`);
    };
    Promise.resolve()
      .then(() => {
        authenticate(request);
        const start = readStart(request);
        socket.setTimeout(0);
        socket.setNoDelay(true);
        if (head.length > 0) socket.unshift(head);
        return sandboxes.start(start, socket, accept);
      })
      .catch((error) => {
        if (accepted) socket.destroy();
        else refuseUpgrade(socket, toRefusal(error, log));
      });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return { server, connections };
}

/** A spare sandbox gets its operation once, when it is taken. */
async function assignOperation(sandbox: BrokerSandbox, operation: string): Promise<{ ok: true }> {
  const { request } = sandbox;
  if (request.operation !== undefined && request.operation !== operation) {
    throw new FettleError('conflict', 'the sandbox belongs to another operation');
  }
  sandbox.request = { ...request, operation };
  const abortSignal = AbortSignal.timeout(limits.requestMs);
  if (request.operation === undefined)
    await sandbox.container?.rename({ name: containerName(sandbox), abortSignal });
  return { ok: true };
}

function describeAll(sandboxes: BrokerSandbox[], diskQuota: boolean): SandboxList {
  return {
    diskLimit: diskQuota ? 'hard' : 'soft',
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
  log.error({ err: error }, 'request failed');
  return new FettleError('unavailable', error instanceof Error ? error.message : 'the request failed');
}
