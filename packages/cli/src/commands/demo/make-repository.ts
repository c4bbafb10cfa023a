/** Creates the repository of the demo: real files in a new git repository. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';

const template = join(import.meta.dirname, 'repository');
const author = { name: 'Ana Lima', email: 'ana@example.com' };

export interface Git {
  folder: string;
  searchPath: string;
}

export async function makeRepository(place: Git): Promise<void> {
  await cp(template, place.folder, { recursive: true });
  const git = openGit(place);
  await git.init(['--initial-branch=main']);
  await git.add(['--all']);
  await git.commit('Split bills and settle up among friends');
}

export async function hasBranch(place: Git, branch: string): Promise<boolean> {
  const { all } = await openGit(place).branchLocal();
  return all.includes(branch);
}

/** Without the user's git config: their signing key and hooks do not apply to the demo. */
function openGit({ folder, searchPath }: Git) {
  const environment = {
    PATH: searchPath,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  // simple-git refuses these variables by default, because they can also point to a hostile config.
  const allowed = { allowEnvironment: Object.keys(environment), unsafe: { allowUnsafeConfigPaths: true } };
  return simpleGit({ baseDir: folder, ...allowed }).env(environment);
}
