import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const COUNT_TIMEOUT_MS = 60_000;
const OPTIONS = { bytes: '--block-size=1', files: '--inodes' };

export interface DiskCount {
  /** Bytes are those of whole blocks, which is what the disk loses. */
  seen: number;
  /** Whether there are folders that their owner has shut, in which nothing could be counted. */
  isShut: boolean;
}

/** Files may vanish while they are counted; what was counted then is on standard output all the same. */
export async function countDisk(
  folder: string,
  what: keyof typeof OPTIONS,
  signal?: AbortSignal,
): Promise<DiskCount> {
  const counted = await runFile('du', ['--summarize', '--one-file-system', OPTIONS[what], '--', folder], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeout: COUNT_TIMEOUT_MS,
    ...(signal && { signal }),
  }).catch((error: { stdout?: string; stderr?: string; killed?: boolean }) => error);
  const isShut = counted.stderr?.includes('Permission denied') === true;
  // So many files that they cannot be counted are too many; so are more complaints than fit into memory.
  if ('killed' in counted && counted.killed) return { seen: Number.POSITIVE_INFINITY, isShut };
  return { seen: Number.parseInt(counted.stdout ?? '', 10) || 0, isShut };
}
