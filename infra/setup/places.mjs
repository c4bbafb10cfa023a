import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const binFolder = join(root, 'node_modules', '.bin');

// Inside node_modules, so that removing that folder also forgets what was done to it.
export const stampFolder = join(root, 'node_modules', '.fettle');

const usualHome = join(homedir(), '.fettle');
export const home = resolve(process.env.FETTLE_HOME || usualHome);
const fetchedTools = ['redis', 'gitleaks'].flatMap((tool) =>
  [home, usualHome].map((each) => join(each, 'tools', tool, 'bin')),
);

const searchPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);

/** What the program sees: the workspace's Node 24 and tools first, what was fetched last. */
export const workspacePath = [...new Set([binFolder, ...searchPath, ...fetchedTools])].join(delimiter);

// `npm run` puts node_modules/.bin first, whose Node vanishes while dependencies are being installed.
const outsideModules = (folder) => !/[\\/]node_modules[\\/]/.test(`${folder}/`);

/** What npm sees: the machine's own Node. */
export const machinePath = [dirname(process.execPath), ...searchPath].filter(outsideModules).join(delimiter);

/** The first executable of that name on a search path. */
export function findProgram(name, path) {
  const candidates = name.includes('/') ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  return candidates.find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
