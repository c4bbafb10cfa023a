import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';

export interface OpenFile {
  fd: number;
  stat: Stats;
}

/** Opens a resolved path. Does not follow links, and does not block on a fifo without a writer. */
export function openRegularFile(realPath: string, shownPath: string): OpenFile {
  const fd = openForReading(realPath, shownPath);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  closeSync(fd);
  throw stat.isDirectory()
    ? new SandboxError('is_directory', `${show(shownPath)} is a directory`)
    : notRegular(shownPath);
}

function openForReading(realPath: string, shownPath: string): number {
  try {
    return openSync(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENXIO') throw notRegular(shownPath);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new SandboxError('not_found', `${show(shownPath)} does not exist`);
    }
    throw error;
  }
}

function notRegular(path: string): SandboxError {
  return new SandboxError('not_regular', `${show(path)} is not a regular file`);
}
