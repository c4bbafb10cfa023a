/** Where checkpoints outlive the worker's machine. The api stores them unread. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface CheckpointKey {
  operationId: string;
  commit: string;
  /** By default the checkpoint. `base`: what the base has at paths that it changed. */
  what?: 'base';
}

/** Object storage can implement this, too. */
export interface CheckpointStore {
  put(key: CheckpointKey, bytes: Uint8Array): Promise<void>;
  /** Throws `CheckpointUnreadable` if it is there and no retry would read it. */
  get(key: CheckpointKey): Promise<Buffer | undefined>;
  /** The operations that have checkpoints. */
  listOperations(): Promise<string[]>;
  remove(operationId: string): Promise<void>;
}

/** A folder for each operation, and a file for each commit. The same commit always has the same content. */
export function openCheckpointFolder(folder: string): CheckpointStore {
  const pathOf = ({ operationId, commit, what }: CheckpointKey) =>
    join(folder, operationId, what === undefined ? commit : `${commit}.${what}`);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(join(folder, key.operationId), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomUUID()}.draft`;
      try {
        await writeFile(draft, bytes, { mode: 0o600 });
        await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EISDIR') throw error;
          await rm(path, { recursive: true });
          await rename(draft, path);
        });
      } finally {
        await rm(draft, { force: true });
      }
    },
    get: (key) => readFile(pathOf(key)).catch(unreadable).catch(missing),
    listOperations: () => readdir(folder).catch((error) => missing(error) ?? []),
    remove: (operationId) => rm(join(folder, operationId), { recursive: true, force: true }),
  };
}

export class CheckpointUnreadable extends Error {
  override readonly name = 'CheckpointUnreadable';
}

const lasting = ['EACCES', 'EIO', 'EISDIR', 'ELOOP', 'ENOTDIR', 'EPERM'];

function unreadable(error: NodeJS.ErrnoException): never {
  throw lasting.includes(error.code ?? '') ? new CheckpointUnreadable(error.message) : error;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
