import { runGit, runGitBytes } from './run-git.ts';

export interface TreeItem {
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  size: number;
  path: string;
}

/** The entry at a path, `''` being the root. Undefined if there is none. */
export async function findEntry(folder: string, commit: string, path: string): Promise<TreeItem | undefined> {
  if (path === '') {
    const sha = await runGit(folder, ['rev-parse', `${commit}^{tree}`]);
    return { mode: '040000', type: 'tree', sha, size: 0, path: '' };
  }
  const [entry] = await listEntries(folder, commit, [path]);
  return entry;
}

export async function listEntries(folder: string, tree: string, paths: string[] = []): Promise<TreeItem[]> {
  const output = await runGit(folder, [
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '--long',
    tree,
    '--',
    ...paths,
  ]);
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [facts = '', path = ''] = line.split('\t');
      const [mode = '', type = 'blob', sha = '', size = ''] = facts.split(/ +/);
      return { mode, type: type as TreeItem['type'], sha, size: Number(size) || 0, path };
    });
}

export async function readBlob(folder: string, sha: string): Promise<Buffer> {
  return runGitBytes(folder, ['cat-file', 'blob', sha]);
}
