import { join } from 'node:path';
import type { Toolbox } from '../toolbox.ts';
import { takeStat } from './tree-index.ts';
import { createFolderCheck, walkWorkspace } from './walk.ts';

/** All regular files below a folder that are tracked or not ignored, in the order of a sorted walk. */
export async function listFiles(toolbox: Toolbox, top: string): Promise<string[]> {
  const files: string[] = [];
  await walkWorkspace(toolbox, top, {
    visit(path, entry) {
      if (entry.isFile()) files.push(path);
    },
  });
  const hidden = listTrackedAndIgnored(toolbox).filter((path) => top === '' || path.startsWith(`${top}/`));
  const seen = new Set(files);
  const extra = hidden.filter((path) => !seen.has(path));
  return extra.length === 0 ? files : [...files, ...extra].sort(compareByComponent);
}

/** Tracked files that the ignore rules match. A walk by the rules alone does not visit them. */
export function listTrackedAndIgnored(toolbox: Toolbox): string[] {
  const { index, ignoreRules, workspace } = toolbox;
  // Files that enter the index later are not ignored, because ignored files are not handed out.
  toolbox.ignoredPaths ??= [...index.keys()].filter((path) => ignoreRules.covers(path));
  const hasRealFolder = createFolderCheck(workspace);
  return toolbox.ignoredPaths.filter(
    (path) => hasRealFolder(path) && takeStat(join(workspace, path))?.found.isFile() === true,
  );
}

/** The order of a sorted walk. */
export function compareByComponent(a: string, b: string): number {
  // With the separator as the lowest character, string order equals the order of the walk.
  const left = a.replaceAll('/', '\0');
  const right = b.replaceAll('/', '\0');
  return left < right ? -1 : left > right ? 1 : 0;
}
