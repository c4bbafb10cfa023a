/**
 * Starts the embedded redis-server as a child of this process: on a Unix socket only, with an append-only file. The server
 * ends with this process, including after `kill -9`.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureRedis } from './fetch-redis.ts';
import { type RedisExit, startRedisProcess } from './redis-process.ts';
import { prepareSocket } from './socket-path.ts';
import { explainStartFailure } from './start-failure.ts';
import { waitForPreviousServer } from './wait-for-previous-server.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface RedisOptions {
  /** FETTLE_HOME, where a downloaded redis-server is kept. */
  home: string;
  /** The data folder. The caller makes sure that no other process uses it. */
  folder: string;
  /** The folder of the socket. The data folder by default. */
  socketFolder?: string;
  /** When an acknowledged write reaches the disk: within a second, or before the acknowledgement. */
  fsync: 'everysec' | 'always';
  /** Called before the server starts, so that clients can start at the same time. */
  onUrl?(url: string): void;
}

export interface RunningRedis {
  /** `unix:///…/redis.sock`, percent-encoded where the path needs it. */
  url: string;
  pid: number;
  /** Resolves when the server ends, whether it was stopped or not. */
  exited: Promise<RedisExit>;
  /** Stops the server with its data on disk, or kills it after a grace period. Can be called twice. */
  stop(): Promise<void>;
}

export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const folder = resolve(options.folder);
  const program = await ensureRedis(options.home);
  await createFolder(folder);
  await waitForPreviousServer(folder);
  const place = await prepareSocket(resolve(options.socketFolder ?? folder));

  const url = `unix://${place.socket.split('/').map(encodeURIComponent).join('/')}`;
  options.onUrl?.(url);
  const settings = listSettings({ folder, socket: place.socket, fsync: options.fsync });
  const redis = startRedisProcess(program, settings);
  const exited = redis.exited.finally(place.remove);
  try {
    await waitUntilReady(place.socket, exited);
  } catch (error) {
    await redis.stop();
    throw explainStartFailure(error, folder, (await exited).log);
  }
  const stop = async () => {
    await redis.stop();
    await exited;
  };
  return { url, pid: redis.pid, exited, stop };
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainStartFailure(error, folder, error instanceof Error ? error.message : '');
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
    // The append-only file holds every change, so snapshots would only cost time.
    appendonly: 'yes',
    appendfsync: at.fsync,
    save: '',
    // Queues must never lose a key to make room for another.
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
