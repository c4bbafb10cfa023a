import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The repository at or above a path: a clone or a bare repository. Does not run git, which would read the config of an
 * untrusted repository and refuse a repository of another user.
 */
export function findRepository(path: string): string | undefined {
  if (!isAbsolute(path) || !existsSync(path)) return undefined;
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if (isRepository(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** `owner/name` below a folder of repositories, bare or not. */
export function findNamedRepository(root: string, name: string): string | undefined {
  const folder = [join(root, name), join(root, `${name}.git`)].find(
    (each) => existsSync(each) && isRepository(each),
  );
  return folder && realpathSync(folder);
}

/** `owner/name`, where neither part is `.` or `..`. */
export function isRepositoryName(input: string): boolean {
  const parts = input.split('/');
  return parts.length === 2 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.{1,2}$/.test(part));
}

/** The path of `/path` or `file:///path`. Other input is not local. */
export function localPath(input: string): string | undefined {
  if (isAbsolute(input)) return input;
  if (!/^file:\/\//i.test(input)) return undefined;
  try {
    return fileURLToPath(input);
  } catch {
    return undefined;
  }
}

export function repositoryName(path: string): string {
  return basename(path).replace(/\.git$/, '') || path;
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git')) || isBare(folder);
}

function isBare(folder: string): boolean {
  return (
    ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name))) &&
    statSync(folder).isDirectory()
  );
}
