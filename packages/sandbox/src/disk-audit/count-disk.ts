/** Counts the bytes or files of a folder with `du`. */
import type { Readable } from 'node:stream';
import { startProgram } from '@fettle/process';

const countTimeoutMs = 60_000;
/** Every hard link counts as a file, because each one takes as long to visit as a file of its own. */
const duOptions = { bytes: ['--block-size=1'], files: ['--inodes', '--count-links'] };
const permissionDenied = 'Permission denied';

export interface DiskCount {
  /** For bytes: the size of all blocks in use. Infinity when the count did not finish. */
  counted: number;
  /** Whether some folders could not be read, because their owner removed the permission. */
  hasUnreadable: boolean;
}

/** Files may disappear during the count; `du` then complains and prints the total of the rest. */
export async function countDisk(
  folder: string,
  what: keyof typeof duOptions,
  signal?: AbortSignal,
): Promise<DiskCount> {
  const argv = ['du', '--summarize', '--one-file-system', ...duOptions[what], '--', folder];
  const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const du = startProgram(argv, { environment, timeoutMs: countTimeoutMs, signal });
  const [foundDenied, output] = [watchForDenied(du.stderr), collect(du.stdout)];
  const { stopped, signal: killedBy, error } = await du.exited;
  if (error !== undefined) throw new Error(`du could not be started: ${error.message}`, { cause: error });
  const hasUnreadable = foundDenied();
  // Files that cannot be counted within the limits of time and memory are too many.
  if (stopped !== 'cancelled' && killedBy !== undefined)
    return { counted: Number.POSITIVE_INFINITY, hasUnreadable };
  return { counted: Number.parseInt(output(), 10) || 0, hasUnreadable };
}

/** Stores no messages: there may be one for each of a million files that disappear meanwhile. */
function watchForDenied(stderr: Readable | undefined): () => boolean {
  let found = false;
  let rest = '';
  stderr?.setEncoding('latin1').on('data', (piece: string) => {
    found ||= (rest + piece).includes(permissionDenied);
    rest = piece.slice(-permissionDenied.length);
  });
  return () => found;
}

function collect(stdout: Readable | undefined): () => string {
  let text = '';
  stdout?.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}
