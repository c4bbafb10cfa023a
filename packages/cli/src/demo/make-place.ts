import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Git, makeRepository } from './make-repository.ts';

export interface DemoPlace {
  home: string;
  repository: string;
  git: Git;
}

/** A folder of its own, which is left behind so that one can look at what happened in it. */
export async function makePlace({ searchPath }: { searchPath: string }): Promise<DemoPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-demo-'));
  const repository = join(folder, 'repository');
  const git = { folder: repository, searchPath };
  const node = join(folder, 'node');
  await mkdir(repository);
  await symlink(process.execPath, node);
  await makeRepository(git, node);
  return { home: join(folder, 'home'), repository, git };
}
