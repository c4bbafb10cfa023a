import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const rotateBytes = 5_000_000;
const tailBytes = 4_000;

export interface LogFile {
  path: string;
  /** Passed to the child as its standard error. */
  descriptor: number;
  /** The last lines that were written since the file was opened. */
  tail(lines: number): string[];
  close(): void;
}

/** Rotates a large log when it is opened, and keeps one older log. */
export function openLog(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > rotateBytes) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a+', 0o600);
  const start = fstatSync(descriptor).size;
  return {
    path,
    descriptor,
    tail(lines) {
      const { size } = fstatSync(descriptor);
      const from = Math.max(start, size - tailBytes);
      const bytes = Buffer.alloc(size - from);
      readSync(descriptor, bytes, { position: from });
      return bytes.toString('utf8').trim().split('\n').slice(-lines);
    },
    close: () => closeSync(descriptor),
  };
}
