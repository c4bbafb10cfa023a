import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository at or above a path: a plain clone or a bare repository. Runs no git, since git would obey its config. */
export function findRepository(path: string): string | undefined {
  if (!isAbsolute(path) || !existsSync(path)) return undefined;
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || isBare(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** `file:///path` and `/path` are the same place; anything else is not local. */
export function localPath(words: string): string | undefined {
  if (isAbsolute(words)) return words;
  if (!words.startsWith('file://')) return undefined;
  try {
    return fileURLToPath(words);
  } catch {
    return undefined;
  }
}

export function repositoryName(path: string): string {
  return basename(path).replace(/\.git$/, '') || path;
}

function isBare(folder: string): boolean {
  return (
    ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name))) &&
    statSync(folder).isDirectory()
  );
}
