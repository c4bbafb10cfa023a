import { closeSync, openSync, readSync } from 'node:fs';
import { breathe } from '../proc/yield-to-event-loop.ts';

export interface RemovedMapping {
  /** As `map_files` names it. */
  range: string;
  inode: number;
  /** Of the mapping; the file may be larger. */
  bytes: number;
  /** False for what has no device of its own: shared memory, and some file systems. */
  isOnDevice: boolean;
}

/** `start-end rights offset device inode path (deleted)`; a line's end within the path is written as \012. */
const deletedMappingLine = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ (\S+) (\d+) .* \(deleted\)$/gm;

/**
 * The mappings of removed files, in pieces with pauses, since a program can have tens of thousands, each of a file with a name
 * of 4 kB; none of one that is gone.
 */
export async function* findRemovedMappings(pid: string): AsyncGenerator<RemovedMapping> {
  let maps: number;
  try {
    maps = openSync(`/proc/${pid}/maps`, 'r');
  } catch {
    return;
  }
  try {
    const piece = Buffer.alloc(64 * 1024);
    const pause = breathe(1);
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
          // Without the zeros that small addresses have in front.
          range: `${from.toString(16)}-${to.toString(16)}`,
          inode: Number(inode),
          bytes: to - from,
          isOnDevice: !device.startsWith('00:'),
        };
      }
      await pause();
    }
  } finally {
    closeSync(maps);
  }
}

/** A process that ends meanwhile has no more mappings. */
function read(maps: number, piece: Buffer): number {
  try {
    return readSync(maps, piece);
  } catch {
    return 0;
  }
}
