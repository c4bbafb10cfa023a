/** The network between the workers and the model: a relay that can be cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type ModelRelay = Awaited<ReturnType<typeof startModelRelay>>;

export async function startModelRelay(targetPort: number) {
  const open = new Set<Socket>();
  let isCut = false;

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  }

  function cut(): void {
    isCut = true;
    for (const socket of open) socket.destroy();
  }

  const server = createServer((near) => {
    keep(near);
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    async close(): Promise<void> {
      cut();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
