/**
 * A container engine for tests on machines without one. It speaks the part of the engine's protocol that the broker uses, over
 * a real socket, but its containers are plain processes without any isolation.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { startProcessToolbox } from '../../packages/sandbox/src/backends/process-backend.ts';
import { usersLabel } from '../../services/sandbox-broker/src/sandboxes/sandbox-users.ts';

type Toolbox = ReturnType<typeof startProcessToolbox>;

interface FakeContainer {
  labels: Record<string, string>;
  attached?: Duplex;
  toolbox?: Toolbox;
  isRunning: boolean;
}

export type FakeEngine = Awaited<ReturnType<typeof startFakeEngine>>;

/** `folder` holds the socket and the files of the containers. */
export async function startFakeEngine(folder: string) {
  const socketPath = join(folder, 'engine.sock');
  const containers = new Map<string, FakeContainer>();
  let hasImage = true;
  let server: Server | undefined;

  function start(container: FakeContainer): void {
    const { attached } = container;
    const toolbox = startProcessToolbox({
      folder: join(folder, 'containers'),
      searchPath: process.env.PATH ?? '',
    });
    Object.assign(container, { toolbox, isRunning: true });
    toolbox.input.on('error', () => {});
    attached?.on('error', () => attached.destroy());
    attached?.pipe(toolbox.input);
    toolbox.output.on('data', (bytes: Buffer) => attached?.write(Buffer.concat([frameHeader(bytes), bytes])));
    toolbox.output.on('end', () => {
      container.isRunning = false;
      attached?.end();
    });
  }

  async function remove(id: string): Promise<void> {
    const container = containers.get(id);
    containers.delete(id);
    await container?.toolbox?.stop({ graceMs: 0 });
    container?.attached?.destroy();
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const body = await readBody(request);
    const { pathname } = new URL(request.url ?? '', 'http://engine');
    const [, kind, id = '', action = ''] = pathname.split('/');
    if (kind === 'info') return { status: 200, body: infoOf(folder) };
    if (kind === 'images') return hasImage ? { status: 200, body: image } : missing;
    if (kind === 'system') return { status: 200, body: { Volumes: [] } };
    if (kind === 'volumes')
      return request.method === 'GET' ? { status: 200, body: { Volumes: [] } } : missing;
    if (id === 'json') return { status: 200, body: listContainers() };
    if (id === 'create') {
      const created = randomBytes(32).toString('hex');
      containers.set(created, {
        labels: (body as { Labels: Record<string, string> }).Labels,
        isRunning: false,
      });
      return { status: 201, body: { Id: created } };
    }
    const container = containers.get(id);
    if (container === undefined) return missing;
    if (request.method === 'DELETE') await remove(id);
    if (action === 'start') start(container);
    if (action === 'json') return { status: 200, body: describeContainer(id, container) };
    if (action === 'stats') return { status: 200, body: noUsage };
    return { status: 204 };
  }

  function listContainers() {
    return [...containers].map(([Id, { labels }]) => ({ Id, Labels: labels }));
  }

  async function listen(): Promise<void> {
    server = createServer((request, response) => {
      void answer(request).then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      const container = containers.get(request.url?.split('/')[2] ?? '');
      if (container === undefined) return void socket.destroy();
      container.attached = socket;
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    });
    server.listen(socketPath);
    await once(server, 'listening');
  }

  /** Ends all containers, as the restart of an engine does. */
  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    closing?.close();
    await Promise.all([...containers.keys()].map(remove));
    closing?.closeAllConnections();
  }

  await listen();
  return {
    address: `unix://${socketPath}`,
    containers,
    removeImage(): void {
      hasImage = false;
    },
    stop,
    restart: listen,
  };
}

const missing = { status: 404, body: { message: 'no such object' } };
const image = { Config: { Labels: { [usersLabel.name]: usersLabel.value } } };
const noUsage = { cpu_stats: { cpu_usage: {} }, memory_stats: {}, blkio_stats: {} };

const infoOf = (folder: string) => ({
  ...{ OSType: 'linux', DockerRootDir: folder, Runtimes: {}, SecurityOptions: ['name=seccomp'] },
});

const describeContainer = (Id: string, { isRunning }: FakeContainer) => ({
  Id,
  State: { Running: isRunning, ExitCode: 0, OOMKilled: false, Pid: 0 },
  Mounts: [],
});

function frameHeader({ length }: Buffer): Buffer {
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(length, 4);
  return header;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat(await request.toArray()).toString();
  return text === '' ? undefined : JSON.parse(text);
}
