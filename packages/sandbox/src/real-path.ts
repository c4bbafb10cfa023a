// Where a path leads to: whoever is kept from a folder must be kept from it by all of its names.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Also of what is not there yet, as far as there is something. */
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
