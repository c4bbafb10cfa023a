import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository at or above a path: a plain clone or a bare repository. Runs no git, since git would obey its config. */
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

/** Two plain words with a slash between them, neither of which leads upwards. */
export function isRepositoryName(words: string): boolean {
  const parts = words.split('/');
  return parts.length === 2 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.{1,2}$/.test(part));
}

/** `file:///path` and `/path` are the same place; anything else is not local. */
export function localPath(words: string): string | undefined {
  if (isAbsolute(words)) return words;
  if (!/^file:\/\//i.test(words)) return undefined;
  try {
    return fileURLToPath(words);
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
