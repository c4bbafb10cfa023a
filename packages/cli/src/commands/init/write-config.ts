import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../cli-error.ts';

/** Never writes through a symbolic link, and replaces an existing config only with `force`. */
export async function writeConfig(
  folder: string,
  text: string,
  { force }: { force: boolean },
): Promise<string> {
  const place = join(folder, '.fettle');
  const path = join(place, 'config.yml');
  try {
    await mkdir(place).catch(ignoreExisting);
    // A symbolic link would lead out of the repository.
    if (!(await lstat(place)).isDirectory()) throw notWritten(path, '.fettle is not a folder');
    if (force) await replaceFile(path, text);
    else await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (error) {
    throw explain(path, error);
  }
}

/** Atomic: the old file stays until the new one is complete. A symbolic link is replaced, not followed. */
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

const diskErrors: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is exceeded',
  EISDIR: 'it is a folder',
};

function explain(path: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new CliError('config_exists', `${path} already exists and was not changed.`, {
      exitCode: exitCodes.denied,
      advice: 'Use --force to replace it, or --print to see the new config.',
    });
  const why = diskErrors[code];
  return why === undefined ? error : notWritten(path, why);
}

function notWritten(path: string, why: string): CliError {
  return new CliError('config_not_written', `${path} cannot be written: ${why}.`, {
    exitCode: exitCodes.failed,
    advice: 'Use --print to see the config.',
  });
}
