import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisError } from './redis-error.ts';

// A socket's path has room for 108 bytes on Linux and 104 on macOS, its end included.
const maxPathBytes = 100;

export interface SocketPlace {
  socket: string;
  /** Removes what the server leaves behind. */
  remove(): Promise<void>;
}

/** Where the socket goes: into the wanted folder, or where its path is too long, into a private short one. */
export async function prepareSocket(wanted: string): Promise<SocketPlace> {
  const socket = join(wanted, 'redis.sock');
  if (Buffer.byteLength(socket) <= maxPathBytes) {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return { socket, remove: () => rm(socket, { force: true }) };
  }
  // The same name for the same folder, so that a killed process leaves one folder and not one per start.
  const name = `fettle-redis-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => Buffer.byteLength(join(folder, name, 'redis.sock')) <= maxPathBytes,
  );
  const folder = join(parent ?? '/tmp', name);
  await makePrivate(folder);
  return { socket: join(folder, 'redis.sock'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The name can be guessed, so a folder that somebody else put there must not be used. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new RedisError('redis_start_failed', `${folder} belongs to somebody else.`, {
      advice: 'Remove it, or use a FETTLE_HOME with a shorter path.',
    });
  }
  await chmod(folder, 0o700);
}
