/** Chooses a path for the socket that is short enough for the operating system. */
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisError } from './redis-error.ts';

/** A socket path is limited to 108 bytes on Linux and 104 on macOS, including the final NUL. */
const maxPathBytes = 100;

export interface SocketPath {
  socket: string;
  /** Removes the socket, and the folder if it was created for it. */
  remove(): Promise<void>;
}

/** Uses the wanted folder, or a private folder with a short path where the wanted path is too long. */
export async function prepareSocket(wanted: string): Promise<SocketPath> {
  const socket = join(wanted, 'redis.sock');
  if (Buffer.byteLength(socket) <= maxPathBytes) {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return { socket, remove: () => rm(socket, { force: true }) };
  }
  // The name depends only on the wanted folder, so that killed processes leave one folder and not one per start.
  const name = `fettle-redis-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => Buffer.byteLength(join(folder, name, 'redis.sock')) <= maxPathBytes,
  );
  const folder = join(parent ?? '/tmp', name);
  await createPrivateFolder(folder);
  return { socket: join(folder, 'redis.sock'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The name is predictable, so a folder that another user created there must not be used. */
async function createPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new RedisError('redis_start_failed', `${folder} belongs to another user.`, {
      advice: 'Remove it, or use a FETTLE_HOME with a shorter path.',
    });
  }
  await chmod(folder, 0o700);
}
