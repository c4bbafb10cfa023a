/** Puts a server at a distance: a line with a delay and a bandwidth that all its connections share. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Distance {
  delayMs: number;
  bytesPerSecond: number;
}

export async function putAtDistance(port: number, { delayMs, bytesPerSecond }: Distance) {
  const open = new Set<Socket>();
  let lineFreeAt = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      const now = performance.now();
      lineFreeAt = Math.max(lineFreeAt, now) + (chunk.length / bytesPerSecond) * 1000;
      far.pause();
      setTimeout(
        () => {
          near.write(chunk);
          far.resume();
        },
        lineFreeAt - now + delayMs,
      );
    });
    far.on('end', () => near.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close(): void {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
