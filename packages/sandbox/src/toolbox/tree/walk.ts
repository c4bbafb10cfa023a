/** Walks the workspace, without ignored folders (by the rules of the base commit) and without following links. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { isGitName } from '../../protocol/workspace-path.ts';
import { isMissing } from '../describe-failure.ts';
import type { Toolbox } from '../toolbox.ts';
import { folderOf } from './ignore-rules.ts';
import type { TreeIndex } from './tree-index.ts';

/** Lower than the kernel's limit, to leave room for the path of the workspace itself. */
const maxPathBytes = 3500;

export interface Visitor {
  /** Called for everything that is tracked or not ignored, except folders. Sorted by name within each folder. */
  visit(path: string, entry: Dirent): void;
  refuse?(path: string, reason: string): void;
}

export async function walkWorkspace(toolbox: Toolbox, top: string, visitor: Visitor): Promise<void> {
  const trackedFolders = listTrackedFolders(toolbox.index);
  const yieldNow = createYield();

  async function walkFolder(folder: string): Promise<void> {
    const entries = readFolder(toolbox, folder, visitor);
    if (folder !== '' && !trackedFolders.has(folder) && entries.some(({ name }) => isGitName(name))) {
      visitor.refuse?.(folder, 'is a nested repository');
      return;
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isGitName(entry.name)) {
        if (path !== '.git') visitor.refuse?.(path, 'has a name that is equivalent to .git');
      } else if (Buffer.byteLength(path) > maxPathBytes) {
        visitor.refuse?.(path, `is longer than ${maxPathBytes} bytes`);
      } else if (entry.isDirectory()) {
        if (toolbox.index.get(path)?.kind === 'submodule') refuseFilledSubmodule(path);
        else if (!toolbox.ignoreRules.ignores(path, 'directory')) await walkFolder(path);
      } else if (toolbox.index.has(path) || !toolbox.ignoreRules.ignores(path, 'file')) {
        visitor.visit(path, entry);
      }
      await yieldNow();
    }
  }

  function refuseFilledSubmodule(path: string): void {
    if (readFolder(toolbox, path, {}).length > 0) {
      visitor.refuse?.(path, 'is a submodule; changes inside it belong to its own repository');
    }
  }

  await walkFolder(top);
}

/** Returns a check whether all parent folders of a path are real folders and not links. */
export function createFolderCheck(workspace: string): (path: string) => boolean {
  const known = new Map<string, boolean>([['', true]]);
  function isReal(folder: string): boolean {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const answer = isReal(folderOf(folder)) && isDirectory(join(workspace, folder));
    known.set(folder, answer);
    return answer;
  }
  return (path) => isReal(folderOf(path));
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (error) {
    // In a folder without permissions it may still exist. Reading its contents will show that.
    return !isMissing(error);
  }
}

function listTrackedFolders(index: TreeIndex): Set<string> {
  const folders = new Set<string>(['']);
  for (const path of index.keys()) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

function readFolder(
  { workspace, oddNames }: Toolbox,
  folder: string,
  visitor: Pick<Visitor, 'refuse'>,
): Dirent[] {
  const realPath = join(workspace, folder);
  let entries: Dirent[];
  try {
    entries = readdirSync(realPath, { withFileTypes: true });
  } catch (error) {
    // A running command may delete a folder during the walk, or remove its permissions.
    if (!isMissing(error))
      visitor.refuse?.(folder, `cannot be read: ${(error as Error).message}`.slice(0, 400));
    return [];
  }
  // Invalid UTF-8 is decoded to this character. Only then is a second, slower read needed.
  if (entries.some(({ name }) => name.includes('\ufffd'))) {
    const valid = new Set(readdirSync(realPath, { encoding: 'buffer' }).filter(isUtf8Name).map(String));
    entries = entries.filter(({ name }) => {
      if (valid.has(name)) return true;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!oddNames.has(path)) visitor.refuse?.(path, 'has a name that is not valid UTF-8');
      return false;
    });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function isUtf8Name(name: Buffer): boolean {
  return Buffer.from(name.toString('utf8')).equals(name);
}
