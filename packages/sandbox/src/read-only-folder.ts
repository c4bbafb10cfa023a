// What is wrong with a folder that an operator lets sandboxes read: found here, before bwrap trips over it.
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isWithin, realPathOf } from './real-path.ts';

/** Inside, these are the sandbox's own, or, like the sockets in /run, none of its business. */
const reservedFolders = ['/proc', '/sys', '/dev', '/run', '/tmp', '/sandbox', '/opt/fettle'];

/** Shown already, or with far more in them than a toolchain; single folders in them may be named. */
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
    return code === 'ENOENT' ? `${folder} is not there` : `${folder} cannot be read: ${code}`;
  }
  // By either name: a link may lead to what must not be shown.
  return [folder, real].map((path) => findPlaceFlaw(folder, path, home)).find((flaw) => flaw !== undefined);
}

function findPlaceFlaw(folder: string, path: string, home: string): string | undefined {
  const around = reservedFolders.find((place) => isWithin(path, place));
  if (around !== undefined) return `${folder} is in ${around}, of which sandboxes have their own or none`;
  const ownHomes = [home, realPathOf(home)];
  if (ownHomes.some((each) => isWithin(path, each))) return `${folder} is in Fettle's own home`;
  const held = [homedir(), realPathOf(homedir()), ...ownHomes, ...broadFolders, ...reservedFolders].find(
    (place) => isWithin(place, path),
  );
  if (held === undefined) return undefined;
  return `${folder} holds ${held === path ? 'too much' : held}; name the folder in it that is needed`;
}
