/** Resolves links, so that a folder is protected under all of its names. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** For a path that does not exist yet, resolves the existing part. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
