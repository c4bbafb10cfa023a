// Servers of the trusted side, on loopback and on Unix sockets. Any message that one receives proves that it was reached.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

export interface Doors {
  facts: Record<string, string>;
  /** What was said, to any of them. */
  heard: string[];
  close(): Promise<void>;
}

export async function openDoors(folder: string): Promise<Doors> {
  const heard: string[] = [];
  const suffix = randomBytes(6).toString('hex');
  const abstract = `iso-${suffix}`;
  const path = join(folder, 'door.sock');
  const runPath = process.getuid?.() === 0 ? `/run/iso-${suffix}.sock` : undefined;
  const tcp4 = await listen(heard, { host: '127.0.0.1', port: 0 });
  const tcp6 = await listen(heard, { host: '::1', port: 0 }).catch(() => undefined);
  const servers = [
    ...[tcp4, tcp6],
    await listen(heard, { path: `\0${abstract}` }),
    await listen(heard, { path, readableAll: true, writableAll: true }),
    runPath && (await listen(heard, { path: runPath, readableAll: true, writableAll: true })),
  ].filter((server) => typeof server === 'object');
  const udp4 = await bind(heard, 'udp4', '127.0.0.1');
  const udp6 = await bind(heard, 'udp6', '::1').catch(() => undefined);

  return {
    heard,
    facts: {
      tcp4: String(portOf(tcp4)),
      udp4: String(udp4.address().port),
      ...(tcp6 === undefined ? {} : { tcp6: String(portOf(tcp6)) }),
      ...(udp6 === undefined ? {} : { udp6: String(udp6.address().port) }),
      abstract,
      path,
      ...(runPath === undefined ? {} : { runPath }),
    },
    async close() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      for (const socket of [udp4, udp6]) socket?.close();
      if (runPath !== undefined) rmSync(runPath, { force: true });
    },
  };
}

async function listen(heard: string[], place: Parameters<Server['listen']>[0] & object): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('latin1', 0, 200));
      socket.end('welcome\n');
    });
  });
  server.listen(place);
  await once(server, 'listening');
  return server;
}

async function bind(heard: string[], type: 'udp4' | 'udp6', address: string): Promise<Socket> {
  const socket = createSocket(type, (bytes) => {
    heard.push(bytes.toString('latin1', 0, 200));
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
