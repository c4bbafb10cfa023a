import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../cli-error.ts';

/** Never through a link, and over another one only where that was asked for. */
export async function writeConfig(
  folder: string,
  text: string,
  { force }: { force: boolean },
): Promise<string> {
  const place = join(folder, '.fettle');
  const path = join(place, 'config.yml');
  try {
    await mkdir(place).catch(ignoreExisting);
    // A link would lead the file to where nobody looks for it.
    if (!(await lstat(place)).isDirectory()) throw notWritten(path, '.fettle is not a folder');
    if (force) await replaceFile(path, text);
    else await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (error) {
    throw explain(path, error);
  }
}

/** The one that is there stays until the new one is whole; a link is replaced, not followed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

const faults: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
};

function explain(path: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new CliError('config_exists', `${path} is there already, and stays as it is.`, {
      exitCode: exitCodes.denied,
      advice: 'Use --force to write it anew, or --print to see what would be written.',
    });
  const why = faults[code];
  return why === undefined ? error : notWritten(path, why);
}

function notWritten(path: string, why: string): CliError {
  return new CliError('config_not_written', `${path} cannot be written: ${why}.`, {
    exitCode: exitCodes.failed,
    advice: 'Use --print to see what would be written.',
  });
}
