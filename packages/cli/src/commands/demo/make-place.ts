/** Creates the folder of the demo, with real files in a new git repository. */
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';

const template = join(import.meta.dirname, 'repository');
const author = { name: 'Ana Lima', email: 'ana@example.com' };

export interface DemoPlace {
  home: string;
  repository: string;
  /** The first folder on the PATH of the repository's commands. */
  programs: string;
  git: SimpleGit;
}

/** Creates a temporary folder for the demo. It is kept, so that the result can be inspected. */
export async function makePlace({ searchPath }: { searchPath: string }): Promise<DemoPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-demo-'));
  const programs = join(folder, 'bin');
  await mkdir(programs);
  // The tests are TypeScript, and the system's Node may be too old to run it.
  await symlink(process.execPath, join(programs, 'node'));
  const repository = join(folder, 'repository');
  await cp(template, repository, { recursive: true });
  const git = openGit(repository, searchPath);
  await git.init(['--initial-branch=main']);
  await git.add(['--all']);
  await git.commit('Split bills and settle up among friends');
  return { home: join(folder, 'home'), repository, programs, git };
}

/** Without the user's git config: their signing key and hooks do not apply to the demo. */
function openGit(folder: string, searchPath: string): SimpleGit {
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
