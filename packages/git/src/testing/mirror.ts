import { join } from 'node:path';
import { syncMirror } from '../mirror/sync-mirror.ts';
import { repositoryWith, temporaryFolder } from './repository.ts';

/** A mirror of a new repository with these files, and the head commit of its main branch. */
export async function mirrorWith(files: Record<string, string | Buffer>) {
  const source = repositoryWith(files);
  return mirrorOf(source);
}

export async function mirrorOf(source: string) {
  const mirror = join(temporaryFolder(), 'mirror.git');
  const { heads } = await syncMirror({ mirror, source });
  return { mirror, source, base: heads.get('main') ?? '' };
}
