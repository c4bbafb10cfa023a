/** The input of `git fast-import` for one commit. */
import { GitError } from '../process/git-error.ts';
import { formatIdentity, type Identity } from './identity.ts';
import { assertTreePath, isModulesFile } from './tree-path.ts';

export type TreeChange =
  | { kind: 'file'; path: string; executable: boolean; bytes: Uint8Array }
  /** `bytes` is the target of the link. */
  | { kind: 'symlink'; path: string; bytes: Uint8Array }
  | { kind: 'deleted'; path: string };

export interface CommitStream {
  ref: string;
  mark: number;
  /** Only for the first commit of a process. Later commits continue from the previous one. */
  from: string | undefined;
  identity: Identity;
  dateSeconds: number;
  message: string;
  changes: readonly TreeChange[];
}

export function commitStream(commit: CommitStream): Uint8Array[] {
  const who = formatIdentity(commit.identity, commit.dateSeconds);
  const head = `commit ${commit.ref}\nmark :${commit.mark}\nauthor ${who}\ncommitter ${who}\n`;
  const from = commit.from ? `from ${commit.from}\n` : '';
  const chunks: Uint8Array[] = [text(head), ...data(Buffer.from(commit.message)), text(from)];
  // Deletions come first: a folder that became a file is a deletion and a file of the same name.
  for (const change of commit.changes) {
    if (change.kind === 'deleted') chunks.push(text(`D ${quotePath(change.path)}\n`));
  }
  for (const change of commit.changes) {
    if (change.kind === 'deleted') continue;
    chunks.push(text(`M ${modeOf(change)} inline ${quotePath(change.path)}\n`), ...data(change.bytes));
  }
  // fast-import answers get-mark after it has finished the checkpoint.
  chunks.push(text(`\ncheckpoint\nget-mark :${commit.mark}\n`));
  return chunks;
}

/** fast-import accepts any path, and of two conflicting paths it keeps the last. Both are refused here. */
export function assertChanges(changes: readonly TreeChange[]): void {
  const written = new Set<string>();
  for (const change of changes) {
    assertTreePath(change.path);
    if (change.kind === 'symlink' && isModulesFile(change.path)) {
      throw new GitError('bad_path', 'The file .gitmodules may not be a symbolic link.');
    }
    if (change.kind === 'deleted') continue;
    if (written.has(change.path)) throw conflict(change.path);
    written.add(change.path);
  }
  for (const path of written) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (written.has(path.slice(0, slash))) throw conflict(path);
    }
  }
}

function conflict(path: string): GitError {
  return new GitError(
    'bad_path',
    `The path ${JSON.stringify(path)} conflicts with another path of the same change.`,
  );
}

function modeOf(change: Exclude<TreeChange, { kind: 'deleted' }>): string {
  if (change.kind === 'symlink') return '120000';
  return change.executable ? '100755' : '100644';
}

function quotePath(path: string): string {
  const escaped = path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}

function data(bytes: Uint8Array): Uint8Array[] {
  return [text(`data ${bytes.length}\n`), bytes, text('\n')];
}

function text(value: string): Uint8Array {
  return Buffer.from(value);
}
