import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, makeRepository } from './make-repository.ts';

export interface DemoPlace {
  home: string;
  repository: string;
  /** Where its commands find their programs first. */
  programs: string;
  git: Git;
}

/** A folder of its own, which is left behind so that one can look at what happened in it. */
export async function makePlace({ searchPath }: { searchPath: string }): Promise<DemoPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-demo-'));
  const repository = join(folder, 'repository');
  const git = { folder: repository, searchPath };
  const programs = join(folder, 'bin');
  await mkdir(repository);
  await mkdir(programs);
  // The repository's tests are TypeScript, which the machine's own Node may be too old for.
  await symlink(process.execPath, join(programs, 'node'));
  await makeRepository(git);
  return { home: join(folder, 'home'), repository, programs, git };
}
