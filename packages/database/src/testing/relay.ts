/** A TCP relay between a test and a Postgres server that simulates network failures. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  /** The same database, through the relay. */
  url: string;
  /** Drops all data of the existing connections without closing them. */
  lose(): void;
  /** Delays all data from now on. */
  delayBy(ms: number): void;
  close(): Promise<void>;
}

export async function startRelay(target: string): Promise<Relay> {
  const { searchParams, pathname } = new URL(target);
  const path = `${searchParams.get('host')}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let delayMs = 0;

  function carry(from: Socket, to: Socket): void {
    open.add(from);
    from.on('data', (bytes) => {
      if (lost.has(from)) return;
      if (delayMs === 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), delayMs);
    });
    from.on('error', () => {});
    from.on('close', () => {
      open.delete(from);
      if (!lost.has(from)) to.destroy();
    });
  }

  const server = createServer((near) => {
    const far = connect(path);
    carry(near, far);
    carry(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}${pathname}`,
    lose() {
      for (const socket of open) lost.add(socket);
    },
    delayBy(ms) {
      delayMs = ms;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
