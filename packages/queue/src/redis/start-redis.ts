// A redis-server as a child of this process: on a Unix socket only, with an append-only file, and gone when
// this process is, however that ends.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureRedis } from './fetch-redis.ts';
import { prepareSocket } from './socket-path.ts';
import { explainStartFailure } from './start-failure.ts';
import { superviseRedis } from './supervise-redis.ts';
import { waitForPreviousOwner } from './wait-for-previous-server.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface RedisOptions {
  /** FETTLE_HOME: where a fetched redis-server is found, or put. */
  home: string;
  /** Where the data lives. The caller makes sure that nobody else uses it. */
  folder: string;
  /** Where the socket is made; the data folder unless told. */
  socketFolder?: string;
  /** When an acknowledged write is on the disk: within a second, or at once. */
  fsync: 'everysec' | 'always';
  /** Called as soon as it is known where the server will listen, for who wants to start with it. */
  onUrl?(url: string): void;
}

export interface RedisExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last lines that it printed. */
  log: string;
}

export interface RunningRedis {
  /** `unix:///…/redis.sock`, percent-encoded where the path needs it. */
  url: string;
  pid: number;
  /** Resolves when the server ends, asked to or not. */
  exited: Promise<RedisExit>;
  /** Ends the server, its data on the disk; SIGKILL when it does not end in time. May be called twice. */
  stop(): Promise<void>;
}

export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const folder = resolve(options.folder);
  const program = await ensureRedis(options.home);
  await makeFolder(folder);
  await waitForPreviousOwner(folder);
  const place = await prepareSocket(resolve(options.socketFolder ?? folder));

  const url = `unix://${place.socket.split('/').map(encodeURIComponent).join('/')}`;
  options.onUrl?.(url);
  const redis = superviseRedis(program, listSettings({ folder, socket: place.socket, fsync: options.fsync }));
  const exited = redis.exited.finally(place.remove);
  try {
    await waitUntilReady(place.socket, exited);
  } catch (error) {
    await redis.stop();
    throw explainStartFailure(error, folder, await exited);
  }
  const stop = async () => {
    await redis.stop();
    await exited;
  };
  return { url, pid: redis.pid, exited, stop };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const exit = { code: null, signal: null, log: error instanceof Error ? error.message : '' };
    throw explainStartFailure(error, folder, exit);
  }
}

function listSettings(at: { folder: string; socket: string; fsync: string }): string[] {
  const settings = {
    port: '0',
    unixsocket: at.socket,
    unixsocketperm: '700',
    dir: at.folder,
    pidfile: join(at.folder, 'redis.pid'),
    daemonize: 'no',
    // Every change goes to the append-only file; snapshots beside it would only cost.
    appendonly: 'yes',
    appendfsync: at.fsync,
    save: '',
    // Queues must never lose a key to make room for another.
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
