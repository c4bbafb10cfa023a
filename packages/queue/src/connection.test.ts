import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectRedis } from './connection.ts';
import { readHome } from './redis/home-config.ts';
import { startRedis } from './redis/start-redis.ts';

test('a connection whose peer vanished without closing it is replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-redis-'));
  const server = await startRedis({ home: readHome(), folder, fsync: 'everysec' });
  const far = decodeURIComponent(server.url.slice('unix://'.length));
  const near: Socket[] = [];
  let isLost = false;
  const relay = createServer((socket) => {
    near.push(socket);
    const other = connect(far);
    const isMine = !isLost;
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const)
      from
        .on('data', (bytes) => (isMine && isLost) || to.write(bytes))
        .on('error', () => {})
        .on('close', () => to.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  const redis = connectRedis(`redis://127.0.0.1:${port}`, { silenceMs: 2_000 });
  try {
    expect(await redis.brpop('nothing', 1)).toBeNull();
    isLost = true;
    expect(await redis.brpop('nothing', 1)).toBeNull();
    expect(near).toHaveLength(2);
  } finally {
    redis.disconnect();
    relay.close();
    for (const socket of near) socket.destroy();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}, 20_000);
