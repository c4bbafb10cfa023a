/** Finds the repository that a command is about, if it is on this machine. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { usageError } from '../../cli-error.ts';

/** The repository that contains the folder, as git finds it, or else the default one. */
export function enclosingRepository(folder: string, otherwise?: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git')) || isBare(each)) return each;
    if (dirname(each) === each) break;
  }
  if (otherwise !== undefined) return absoluteRepository(otherwise);
  throw usageError(
    `${folder} is not in a git repository.`,
    'Change to a repository, or name one with --repo: a path, a clone URL or owner/name.',
  );
}

/** Makes a path absolute, because the server may run in another folder. */
export function absoluteRepository(repository: string): string {
  const isPath = /^\.{0,2}\//.test(repository) || repository === '.' || repository === '..';
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(repository) || /^[^/]+@[^/]+:/.test(repository);
  return isPath || (!isUrl && existsSync(repository)) ? resolve(repository) : repository;
}

function isBare(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}
