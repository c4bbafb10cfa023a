import type { RepositoryRoot } from '@fettle/discovery';
import { listRoot, listTree, readBlobAt } from '@fettle/git';

/** The files of a commit, for discovery. */
export async function openMirrorRoot(mirror: string, commit: string): Promise<RepositoryRoot> {
  const entries = await listRoot(mirror, commit);
  const files = new Set(entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path));
  let all: Promise<string[]> | undefined;
  return {
    has: (name) => files.has(name),
    async read(name, maxBytes) {
      const file = await readBlobAt(mirror, commit, name, { maxBytes });
      if (file.kind === 'too_large') return { tooLarge: true };
      return file.kind === 'blob' ? { text: file.bytes.toString('utf8') } : undefined;
    },
    paths() {
      all ??= listTree(mirror, commit).then((tree) =>
        tree.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path),
      );
      return all;
    },
  };
}
