/** The ignore rules of the base commit. The agent may edit a .gitignore, but that does not change what counts as a change. */
import ignore, { type Ignore } from 'ignore';
import type { BaseIgnore } from '../../protocol/requests.ts';

export interface IgnoreRules {
  /** Whether the rules match this path itself. Enough for a walk that does not enter ignored folders. */
  ignores(path: string, kind: 'file' | 'directory'): boolean;
  /** Whether they match the path or one of its parent folders. */
  covers(path: string): boolean;
  /** The same rules as one .gitignore for the root of the tree, for ripgrep. */
  asRootFile(): string;
}

export function createIgnoreRules(files: BaseIgnore[]): IgnoreRules {
  const matchers = new Map<string, Ignore>();
  for (const { path, content } of files) {
    // Git on Linux is case-sensitive; the package is not by default.
    matchers.set(folderOf(path), ignore({ ignorecase: false }).add(content));
  }

  function ignores(path: string, kind: 'file' | 'directory'): boolean {
    if (matchers.size === 0) return false;
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const matcher = matchers.get(folder);
      if (matcher !== undefined) {
        const inFolder = folder === '' ? path : path.slice(folder.length + 1);
        const { ignored, unignored } = matcher.test(kind === 'directory' ? `${inFolder}/` : inFolder);
        if (ignored || unignored) return ignored;
      }
      if (folder === '') return false;
    }
  }

  const coveredFolders = new Map([['', false]]);
  function coversFolder(folder: string): boolean {
    const known = coveredFolders.get(folder);
    if (known !== undefined) return known;
    const covered = coversFolder(folderOf(folder)) || ignores(folder, 'directory');
    coveredFolders.set(folder, covered);
    return covered;
  }

  return {
    ignores,
    covers: (path) => coversFolder(folderOf(path)) || ignores(path, 'file'),
    asRootFile: () =>
      [...files]
        .sort((a, b) => depthOf(a.path) - depthOf(b.path))
        .map(toRootLines)
        .join('\n'),
  };
}

/** The parent folder of a path. Empty at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function toRootLines({ path, content }: BaseIgnore): string {
  const folder = folderOf(path).replace(/[\\*?[\]!# ]/g, '\\$&');
  if (folder === '') return content;
  return content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const negated = line.startsWith('!') ? '!' : '';
      const rule = line.slice(negated.length);
      const anchored = rule.replace(/\/\s*$/, '').includes('/');
      return `${negated}/${folder}/${anchored ? rule.replace(/^\//, '') : `**/${rule}`}`;
    })
    .join('\n');
}
