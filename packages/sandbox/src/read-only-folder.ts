/** Validates a folder that the operator wants to make readable for sandboxes, before bwrap fails on it. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isWithin, realPathOf } from './real-path.ts';

/** Sandboxes have their own version of these, or must not see them, like the sockets in /run. */
const reservedFolders = ['/proc', '/sys', '/dev', '/run', '/tmp', '/sandbox', '/opt/fettle'];

/** Visible already, or with far more in them than a toolchain. Folders inside them are allowed. */
const broadFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/etc',
  '/boot',
  '/var',
  '/var/lib',
  '/home',
  '/root',
];

export function findFolderFlaw(folder: string, home = join(homedir(), '.fettle')): string | undefined {
  if (!isAbsolute(folder)) return `'${folder}' is not an absolute path`;
  let real: string;
  try {
    real = realpathSync(folder);
    if (!statSync(real).isDirectory()) return `${folder} is not a folder`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `${folder} does not exist` : `${folder} cannot be read: ${code}`;
  }
  // Check both names, because a link may lead to a folder that must stay hidden.
  return [folder, real].map((path) => findPathFlaw(folder, path, home)).find((flaw) => flaw !== undefined);
}

function findPathFlaw(folder: string, path: string, home: string): string | undefined {
  const around = reservedFolders.find((place) => isWithin(path, place));
  if (around !== undefined) return `${folder} is in ${around}, which sandboxes cannot share with the host`;
  const ownHomes = [home, realPathOf(home)];
  if (ownHomes.some((each) => isWithin(path, each))) return `${folder} is in Fettle's home`;
  const held = [homedir(), realPathOf(homedir()), ...ownHomes, ...broadFolders, ...reservedFolders].find(
    (place) => isWithin(place, path),
  );
  if (held === undefined) return undefined;
  return held === path
    ? `${folder} contains too much; name the folder inside it that is needed`
    : `${folder} contains ${held}; name the folder inside it that is needed`;
}
