import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';

export interface DiffOptions {
  mirror: string;
  from: string;
  to: string;
  /** Limits the text. The list of files is always complete. */
  maxBytes?: number | undefined;
}

export interface FileDiff {
  path: string;
  oldPath?: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed';
  /** Lines. 0 for binary content. */
  added: number;
  deleted: number;
  binary: boolean;
}

export interface CommitDiff {
  text: string;
  truncated: boolean;
  files: FileDiff[];
  added: number;
  deleted: number;
}

const defaultMaxBytes = 2 * 1024 * 1024;

/** The changes between the trees of two commits. Ignores attributes and external diff programs. */
export async function diffCommits(options: DiffOptions): Promise<CommitDiff> {
  const { mirror, from, to, maxBytes = defaultMaxBytes } = options;
  assertObjectId(from);
  assertObjectId(to);
  const diff = ['diff-tree', '-r', '--find-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const [patch, summary] = await Promise.all([
    runGit({ gitDir: mirror, args: [...diff, '--patch', from, to], maxBytes, overflow: 'truncate' }),
    runGit({ gitDir: mirror, args: [...diff, '-z', '--raw', '--numstat', from, to] }),
  ]);
  const files = parseSummary(summary.stdout.toString());
  return {
    text: patch.stdout.toString(),
    truncated: patch.truncated,
    files,
    added: files.reduce((sum, file) => sum + file.added, 0),
    deleted: files.reduce((sum, file) => sum + file.deleted, 0),
  };
}

const statuses: Record<string, FileDiff['status']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
};

/** Git prints all `:modes ids status NUL path NUL [path NUL]` first, then all `added TAB deleted TAB path NUL`. */
function parseSummary(text: string): FileDiff[] {
  const fields = text.split('\0');
  const files = new Map<string, FileDiff>();
  let index = 0;
  const next = () => fields[index++] ?? '';
  while (index < fields.length - 1) {
    const field = next();
    if (field.startsWith(':')) {
      const status = statuses[field.split(' ')[4]?.[0] ?? ''] ?? 'modified';
      const first = next();
      const renamed = status === 'renamed' ? { path: next(), oldPath: first } : { path: first };
      files.set(renamed.path, { ...renamed, status, added: 0, deleted: 0, binary: false });
      continue;
    }
    const [added = '', deleted = '', ...rest] = field.split('\t');
    let path = rest.join('\t');
    if (path === '') {
      next();
      path = next();
    }
    const file = files.get(path);
    if (!file) continue;
    if (added === '-') file.binary = true;
    else Object.assign(file, { added: Number(added), deleted: Number(deleted) });
  }
  return [...files.values()];
}
