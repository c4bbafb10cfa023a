/** Validates workspace paths. The host checks those that it sends and, because the toolbox is untrusted, those that it receives. */
import { SandboxError } from './sandbox-error.ts';

const maxPathBytes = 4096;
/** Code points that HFS+ ignores when it compares names. */
const hfsIgnored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Returns why this is not a valid path of a file in the workspace. */
export function findPathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (path.includes('\0')) return 'contains a NUL';
  if (Buffer.byteLength(path) > maxPathBytes) return `is longer than ${maxPathBytes} bytes`;
  if (path.startsWith('/')) return 'is absolute; paths are relative to the workspace';
  for (const name of path.split('/')) {
    if (name === '..') return 'contains ".."';
    if (name === '' || name === '.') return 'has an empty or "." component';
  }
  return undefined;
}

/** Normalizes `./a//b/` to `a/b`, and `.` to the empty string. Throws for a path outside of the workspace. */
export function normalizePath(path: string): string {
  if (path.startsWith('/')) throw new SandboxError('outside', `${show(path)} is absolute`);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const normal = names.join('/');
  if (normal === '') return '';
  const fault = findPathFault(normal);
  if (fault !== undefined) throw new SandboxError('outside', `${show(path)} ${fault}`);
  return normal;
}

/** Whether any component equals `.git` on some file system that a clone may be stored on. */
export function touchesGitFolder(path: string): boolean {
  return path.split('/').some(isGitName);
}

export function isGitName(name: string): boolean {
  // NTFS ignores trailing dots and spaces, and everything after a colon.
  const folded = (name.replace(hfsIgnored, '').split(':')[0] ?? '').replace(/[. ]+$/, '').toLowerCase();
  return folded === '.git' || folded === 'git~1';
}

export function show(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
