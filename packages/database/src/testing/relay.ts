/** TCP relays that simulate network failures. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export async function startSocketRelay(target: NetConnectOpts) {
  const open = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  let delayMs = 0;
  let isCut = false;

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
    if (isCut) return void near.destroy();
    const far = connect(target);
    carry(near, far);
    carry(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Drops all data of the existing connections without closing them. */
    lose() {
      for (const socket of open) lost.add(socket);
    },
    /** Delays all data from now on. */
    delayBy(ms: number) {
      delayMs = ms;
    },
    /** Closes all connections, and new ones until `mend`. */
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Between a test and a Postgres server. `url` is the same database through the relay. */
export async function startRelay(target: string) {
  const { searchParams, pathname } = new URL(target);
  const relay = await startSocketRelay({ path: `${searchParams.get('host')}/.s.PGSQL.5432` });
  return { ...relay, url: `postgres://postgres@127.0.0.1:${relay.port}${pathname}` };
}
