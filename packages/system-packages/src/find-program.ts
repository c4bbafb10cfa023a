import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readToolEnvironment } from './environment-config.ts';
import type { SystemProgram } from './system-program.ts';

/** The folder of a fetched program. */
export function fetchedFolder(home: string, { folder }: SystemProgram): string {
  return join(home, 'tools', folder);
}

/** Lists all installations of the program: those on the PATH before the fetched one. */
export async function listCandidates(home: string, program: SystemProgram): Promise<string[]> {
  const searchPath = (readToolEnvironment().PATH ?? '').split(delimiter).filter(Boolean);
  const folders = [...searchPath, join(fetchedFolder(home, program), 'bin')];
  const files = folders.map((folder) => join(folder, program.name));
  const executable = await Promise.all(files.map(isExecutable));
  return files.filter((_, at) => executable[at]);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
