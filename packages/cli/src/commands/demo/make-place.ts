import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, makeRepository } from './make-repository.ts';

export interface DemoPlace {
  home: string;
  repository: string;
  /** The first folder on the PATH of the repository's commands. */
  programs: string;
  git: Git;
}

/** Creates a temporary folder for the demo. It is kept, so that the result can be inspected. */
export async function makePlace({ searchPath }: { searchPath: string }): Promise<DemoPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-demo-'));
  const repository = join(folder, 'repository');
  const git = { folder: repository, searchPath };
  const programs = join(folder, 'bin');
  await mkdir(repository);
  await mkdir(programs);
  // The tests are TypeScript, and the system's Node may be too old to run it.
  await symlink(process.execPath, join(programs, 'node'));
  await makeRepository(git);
  return { home: join(folder, 'home'), repository, programs, git };
}
