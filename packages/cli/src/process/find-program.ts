import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '@fettle/process';

const timeoutMs = 5_000;

/** Returns the first executable with this name on a search path. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns the first line that the program prints for --version. */
export async function readVersion(program: string, searchPath: string): Promise<string> {
  const environment = { PATH: searchPath };
  const { exitCode, stdout } = await runProgram([program, '--version'], { environment, timeoutMs });
  if (exitCode !== 0) return `${program} does not print its version`;
  return stdout.toString('utf8').split('\n')[0]?.trim() ?? program;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
