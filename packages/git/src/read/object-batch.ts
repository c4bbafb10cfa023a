import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';

export interface GitObject {
  oid: string;
  type: string;
  bytes: Buffer;
}

/** Reads objects by name in one process. A missing object is undefined. */
export async function readObjects(
  mirror: string,
  names: readonly string[],
  maxBytes: number,
): Promise<(GitObject | undefined)[]> {
  if (names.length === 0) return [];
  // Names are separated by NUL, because a path may contain a newline.
  const input = names.map((name) => `${name}\0`).join('');
  const args = ['cat-file', '--batch', '-z', '--buffer'];
  const { stdout } = await runGit({ gitDir: mirror, args, input, maxBytes });
  return parseBatch(stdout, names);
}

function parseBatch(output: Buffer, names: readonly string[]): (GitObject | undefined)[] {
  let position = 0;
  return names.map((name) => {
    const missing = Buffer.from(`${name} missing\n`);
    if (output.subarray(position, position + missing.length).equals(missing)) {
      position += missing.length;
      return undefined;
    }
    const lineEnd = output.indexOf(10, position);
    const header = output.toString('latin1', position, lineEnd);
    const [, oid, type, size] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(header) ?? [];
    if (!oid || !type || !size) throw new GitError('failed', 'git cat-file printed an unknown format.');
    const start = lineEnd + 1;
    const end = start + Number(size);
    position = end + 1;
    return { oid, type, bytes: output.subarray(start, end) };
  });
}
