/** Differences between commits. */
import { GitFailure, runGit } from './run-git.ts';

export interface ChangedFile {
  sha: string;
  filename: string;
  status: 'added' | 'removed' | 'modified' | 'renamed';
  additions: number;
  deletions: number;
  changes: number;
  patch?: string;
  previous_filename?: string;
}

const statuses: Record<string, ChangedFile['status']> = { A: 'added', D: 'removed', R: 'renamed' };
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Undefined if the commits have no common ancestor. */
export async function mergeBase(folder: string, a: string, b: string): Promise<string | undefined> {
  try {
    return await runGit(folder, ['merge-base', a, b]);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** `base` is undefined for a commit without a parent. */
export async function listChangedFiles(
  folder: string,
  base: string | undefined,
  head: string,
): Promise<ChangedFile[]> {
  const range = ['--find-renames', '--no-ext-diff', base ?? emptyTree, head];
  const raw = await runGit(folder, ['diff', '--raw', '-z', '--no-abbrev', ...range]);
  const patches = splitPatches(
    await runGit(folder, ['diff', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', ...range]),
  );
  const fields = raw.split('\0');
  const files: ChangedFile[] = [];
  for (let at = 0; at < fields.length && fields[at] !== ''; ) {
    const [, , oldSha = '', newSha = '', letters = ''] = (fields[at] ?? '').split(' ');
    const status = statuses[letters.charAt(0)] ?? 'modified';
    const isRename = status === 'renamed';
    const previous = fields[at + 1] ?? '';
    const filename = isRename ? (fields[at + 2] ?? '') : previous;
    at += isRename ? 3 : 2;
    const patch = patches[files.length];
    const additions = countLines(patch, '+');
    const deletions = countLines(patch, '-');
    files.push({
      sha: status === 'removed' ? oldSha : newSha,
      filename,
      status,
      additions,
      deletions,
      changes: additions + deletions,
      ...(patch !== undefined && { patch }),
      ...(isRename && { previous_filename: previous }),
    });
  }
  return files;
}

/** The hunks of each file, in the order of the diff. Undefined for binary files and pure renames. */
function splitPatches(diff: string): (string | undefined)[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const start = part.search(/^@@ /m);
      return start < 0 ? undefined : part.slice(start).replace(/\n$/, '');
    });
}

function countLines(patch: string | undefined, sign: '+' | '-'): number {
  return (patch ?? '').split('\n').filter((line) => line.startsWith(sign)).length;
}

export async function countCommits(folder: string, base: string, head: string) {
  const counts = await runGit(folder, ['rev-list', '--left-right', '--count', `${base}...${head}`]);
  const [behind = 0, ahead = 0] = counts.split(/\s+/).map(Number);
  return { ahead, behind };
}
