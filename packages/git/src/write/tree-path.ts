// fast-import writes any name into a tree, also `.git/config` and `../x`. These are the rules that git's own
// index applies, on every system's terms: the tree may be checked out on any of them.
import { GitError } from '../process/git-error.ts';

const maxPathBytes = 4096;
const maxNameBytes = 255;
/** Code points that HFS+ leaves out when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export function assertTreePath(path: string): void {
  const flaw = pathFlaw(path);
  if (flaw) throw new GitError('bad_path', `The path ${JSON.stringify(path)} is refused: ${flaw}.`);
}

export function pathFlaw(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.startsWith('/')) return 'it is absolute';
  if (path.includes('\0')) return 'it holds a NUL';
  if (!path.isWellFormed()) return 'it is not valid Unicode';
  if (Buffer.byteLength(path) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`;
  for (const name of path.split('/')) {
    const flaw = nameFlaw(name);
    if (flaw) return flaw;
  }
  return undefined;
}

/** Git takes no symbolic link for this file, since it would read settings through it. */
export function isModulesFile(path: string): boolean {
  const name = fold(path.split('/').at(-1) ?? '');
  return name === '.gitmodules' || /^gitmod~\d$/.test(name) || /^gi7eba~\d$/.test(name);
}

function nameFlaw(name: string): string | undefined {
  if (name === '') return 'it has an empty component';
  if (Buffer.byteLength(name) > maxNameBytes) return `a component is longer than ${maxNameBytes} bytes`;
  // A backslash separates on Windows, and is a plain character elsewhere.
  for (const piece of name.split('\\')) {
    if (piece === '.' || piece === '..') return `it has a component "${piece}"`;
    const folded = fold(piece);
    if (folded === '.git' || folded === 'git~1') return 'a component means ".git"';
  }
  return undefined;
}

/** What is left of a name for systems that ignore case, streams, trailing dots and spaces, or code points. */
function fold(name: string): string {
  const stream = name.indexOf(':');
  const withoutStream = stream === -1 ? name : name.slice(0, stream);
  return withoutStream
    .replace(ignoredByHfs, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}
