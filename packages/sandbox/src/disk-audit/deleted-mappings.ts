import { closeSync, openSync, readSync } from 'node:fs';
import { createYield } from '../proc/yield-to-event-loop.ts';

export interface DeletedMapping {
  /** The name in `/proc/<pid>/map_files`. */
  range: string;
  inode: number;
  /** The size of the mapping. The file may be larger. */
  bytes: number;
  /** False for shared memory and for file systems without a device. */
  isOnDevice: boolean;
}

/** `start-end permissions offset device inode path (deleted)`. A newline in the path is written as \012. */
const deletedMappingLine = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ (\S+) (\d+) .* \(deleted\)$/gm;

/**
 * The mappings of deleted files in one process. Reads /proc in pieces and yields between them, because a program can have
 * tens of thousands of mappings, each with a file name of 4 kB.
 */
export async function* findDeletedMappings(pid: string): AsyncGenerator<DeletedMapping> {
  let maps: number;
  try {
    maps = openSync(`/proc/${pid}/maps`, 'r');
  } catch {
    return;
  }
  try {
    const piece = Buffer.alloc(64 * 1024);
    const yieldNow = createYield(1);
    let rest = '';
    for (let length = read(maps, piece); length > 0; length = read(maps, piece)) {
      const text = rest + piece.toString('latin1', 0, length);
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      for (const [, first = '', last = '', device = '', inode] of text
        .slice(0, end)
        .matchAll(deletedMappingLine)) {
        const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
        yield {
          // map_files omits the leading zeros of small addresses.
          range: `${from.toString(16)}-${to.toString(16)}`,
          inode: Number(inode),
          bytes: to - from,
          isOnDevice: !device.startsWith('00:'),
        };
      }
      await yieldNow();
    }
  } finally {
    closeSync(maps);
  }
}

/** A process that has ended meanwhile has no more mappings. */
function read(maps: number, piece: Buffer): number {
  try {
    return readSync(maps, piece);
  } catch {
    return 0;
  }
}
