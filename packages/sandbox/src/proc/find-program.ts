import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The first program of that name on a search path. Looks only, since starting it would delay the hello. */
export function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(':')) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
