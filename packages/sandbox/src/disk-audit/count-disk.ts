import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const countTimeoutMs = 60_000;
/** Files by their names: a file with a million of them takes as long to walk over as a million files. */
const duOptions = { bytes: ['--block-size=1'], files: ['--inodes', '--count-links'] };
const permissionDenied = 'Permission denied';

export interface DiskCount {
  /** Bytes are those of whole blocks, which is what the disk loses. */
  seen: number;
  /** Whether there are folders that their owner has shut, in which nothing could be counted. */
  isShut: boolean;
}

/** Files may vanish while they are counted; what was counted then is on standard output all the same. */
export async function countDisk(
  folder: string,
  what: keyof typeof duOptions,
  signal?: AbortSignal,
): Promise<DiskCount> {
  const du = spawn('du', ['--summarize', '--one-file-system', ...duOptions[what], '--', folder], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: countTimeoutMs,
    ...(signal && { signal }),
  });
  const closed = once(du, 'close').catch((error) => {
    if (signal?.aborted) return [null, null];
    throw new Error(`du cannot be run: ${error.message}`, { cause: error });
  });
  const [isShut, text] = [watchComplaints(du), collect(du)];
  const [, endedBy] = await closed;
  // So many files that they cannot be counted, in time or in memory, are too many.
  if (endedBy !== null) return { seen: Number.POSITIVE_INFINITY, isShut: isShut() };
  return { seen: Number.parseInt(text(), 10) || 0, isShut: isShut() };
}

/** There may be one for each of a million files that somebody removes meanwhile: none is kept. */
function watchComplaints({ stderr }: ChildProcess): () => boolean {
  let found = false;
  let rest = '';
  stderr?.setEncoding('latin1').on('data', (piece: string) => {
    found ||= (rest + piece).includes(permissionDenied);
    rest = piece.slice(-permissionDenied.length);
  });
  return () => found;
}

function collect({ stdout }: ChildProcess): () => string {
  let text = '';
  stdout?.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}
