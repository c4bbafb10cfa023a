import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the first executable with this name on a search path. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
