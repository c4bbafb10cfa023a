/**
 * fast-import writes any path into a tree, even `.git/config` and `../x`. These are the rules of git's own index, for
 * all operating systems at once, because the tree may be checked out on any of them.
 */
import { GitError } from '../process/git-error.ts';

const maxPathBytes = 4096;
const maxNameBytes = 255;
/** Code points that HFS+ ignores when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export function assertTreePath(path: string): void {
  const flaw = pathFlaw(path);
  if (flaw) throw new GitError('bad_path', `The path ${JSON.stringify(path)} is refused: ${flaw}.`);
}

export function pathFlaw(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.startsWith('/')) return 'it is absolute';
  if (path.includes('\0')) return 'it contains a NUL';
  if (!path.isWellFormed()) return 'it is not valid Unicode';
  if (Buffer.byteLength(path) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes`;
  for (const name of path.split('/')) {
    const flaw = nameFlaw(name);
    if (flaw) return flaw;
  }
  return undefined;
}

/** Git refuses a symbolic link with this name, because it reads settings from it. */
export function isModulesFile(path: string): boolean {
  const name = fold(path.split('/').at(-1) ?? '');
  return name === '.gitmodules' || /^gitmod~\d$/.test(name) || /^gi7eba~\d$/.test(name);
}

function nameFlaw(name: string): string | undefined {
  if (name === '') return 'it has an empty component';
  if (Buffer.byteLength(name) > maxNameBytes) return `a component is longer than ${maxNameBytes} bytes`;
  // A backslash is a separator on Windows, and an ordinary character elsewhere.
  for (const piece of name.split('\\')) {
    if (piece === '.' || piece === '..') return `it has a component "${piece}"`;
    const folded = fold(piece);
    if (folded === '.git' || folded === 'git~1') return 'a component means ".git"';
  }
  return undefined;
}

/** The name as seen by systems that ignore case, NTFS streams, trailing dots and spaces, or some code points. */
function fold(name: string): string {
  const stream = name.indexOf(':');
  const withoutStream = stream === -1 ? name : name.slice(0, stream);
  return withoutStream
    .replace(ignoredByHfs, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}
