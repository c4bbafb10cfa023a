import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const binFolder = join(root, 'node_modules', '.bin');

/** Inside node_modules, so that removing that folder also removes the stamps. */
export const stampFolder = join(root, 'node_modules', '.fettle');

/** Whether this user may write there, or create it. Another user may have set up the clone. */
export function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return error.code === 'ENOENT' && dirname(folder) !== folder && isWritable(dirname(folder));
  }
}

const defaultHome = join(homedir(), '.fettle');
export const home = resolve(process.env.FETTLE_HOME || defaultHome);
/** The locks and stamps of this user: beside those of the clone, or in their home if the clone is not theirs. */
export const ownStampFolder = isWritable(stampFolder) ? stampFolder : join(home, 'setup');
const fetchedTools = ['redis', 'gitleaks'].flatMap((tool) =>
  [home, defaultHome].map((each) => join(each, 'tools', tool, 'bin')),
);

const searchPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);

/** The PATH of the program: Node 24 and the tools of the workspace first, fetched tools last. */
export const workspacePath = [...new Set([binFolder, ...searchPath, ...fetchedTools])].join(delimiter);

// `npm run` puts node_modules/.bin first, but its Node disappears while dependencies are being installed.
const outsideModules = (folder) => !/[\\/]node_modules[\\/]/.test(`${folder}/`);

/** The PATH of npm, with the Node of the machine. */
export const machinePath = [dirname(process.execPath), ...searchPath].filter(outsideModules).join(delimiter);

/** Returns the first executable with this name on a search path. */
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
