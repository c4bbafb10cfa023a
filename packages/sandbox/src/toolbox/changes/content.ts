/** Reads content as git stores it: the bytes of a file, or the target of a symbolic link. */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, readlinkSync, readSync } from 'node:fs';
import { maxChunkBytes } from '../../protocol/send-window.ts';
import { type OpenFile, openRegularFile } from '../files/open-regular-file.ts';

/** Opens immediately. Undefined if there is no longer such a file or link. */
export function openContent(realPath: string, kind: string): Iterable<Buffer> | undefined {
  try {
    if (kind === 'symlink') return [readlinkSync(realPath, { encoding: 'buffer' })];
    return readChunks(openRegularFile(realPath, realPath));
  } catch {
    return undefined;
  }
}

function* readChunks({ fd, stat }: OpenFile): Generator<Buffer> {
  // Most files are far smaller than a chunk, and allocating thousands of large buffers is slow.
  const chunkBytes = Math.min(maxChunkBytes, stat.size + 1);
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(fd, chunk);
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(fd);
  }
}

/** Git's blob id of a content of this size. If the file has changed meanwhile, the id is wrong and matches nothing. */
export function hashContent(realPath: string, kind: string, size: number): string | undefined {
  const hash = createBlobHash(size);
  try {
    if (kind === 'symlink') hash.update(readlinkSync(realPath, { encoding: 'buffer' }));
    else hashFile(openRegularFile(realPath, realPath), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** One buffer for all files: a process that once held a whole tree in memory forks slowly afterwards. */
const shared = Buffer.allocUnsafeSlow(maxChunkBytes);

function hashFile({ fd }: OpenFile, hash: Hash): void {
  try {
    for (let count = readSync(fd, shared); count > 0; count = readSync(fd, shared)) {
      hash.update(shared.subarray(0, count));
    }
  } finally {
    closeSync(fd);
  }
}

export function createBlobHash(size: number): Hash {
  return createHash('sha1').update(`blob ${size}\0`);
}
