/** Finds files that differ from the index: by stat, and by content where the stat is not conclusive. */
import { accessSync, type BigIntStats, constants, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { findTargetFault } from '../../protocol/link-target.ts';
import type { Refused } from '../../protocol/schemas.ts';
import { findPathFault, touchesGitFolder } from '../../protocol/workspace-path.ts';
import type { Toolbox } from '../toolbox.ts';
import { type FileStat, isUnchanged, takeStat } from '../tree/tree-index.ts';
import { createFolderCheck, walkWorkspace } from '../tree/walk.ts';
import { hashContent } from './content.ts';

const maxListed = 200;
/** For all together, because they are sent in one frame. */
const maxListedBytes = 256 * 1024;

export interface Changed {
  path: string;
  kind: 'file' | 'symlink' | 'deleted';
  size: number;
}

export interface FoundChanges {
  changed: Changed[];
  refusals: Refusals;
}

export async function findChanges(toolbox: Toolbox, paths: string[] | undefined): Promise<FoundChanges> {
  const refusals = createRefusals();
  const changed: Changed[] = [];
  const visited = new Set<string>();
  const yieldNow = createYield();
  const visit = (path: string): void => {
    visited.add(path);
    const change = compare(toolbox, path, refusals);
    if (change !== undefined) changed.push(change);
  };

  if (paths === undefined) {
    await walkWorkspace(toolbox, '', { visit, refuse: refusals.add });
  }
  // After a walk: tracked files that it did not visit, because they are deleted or in an ignored folder.
  const hasRealFolder = createFolderCheck(toolbox.workspace);
  for (const path of new Set(paths ?? toolbox.index.keys())) {
    if (visited.has(path)) continue;
    await yieldNow();
    if (paths !== undefined && !isCandidate(toolbox, path, refusals)) continue;
    if (hasRealFolder(path)) visit(path);
    else if (isTrackedFile(toolbox, path)) changed.push({ path, kind: 'deleted', size: 0 });
  }
  return { changed: changed.sort((a, b) => (a.path < b.path ? -1 : 1)), refusals };
}

function isCandidate({ index, ignoreRules }: Toolbox, path: string, refusals: Refusals): boolean {
  const fault = findPathFault(path) ?? (touchesGitFolder(path) ? "is in git's own folder" : undefined);
  if (fault !== undefined) refusals.add(path, fault);
  return fault === undefined && (index.has(path) || !ignoreRules.covers(path));
}

function isTrackedFile({ index }: Toolbox, path: string): boolean {
  const entry = index.get(path);
  return entry !== undefined && entry.kind !== 'submodule';
}

function compare(toolbox: Toolbox, path: string, refusals: Refusals): Changed | undefined {
  const known = toolbox.index.get(path);
  if (known?.kind === 'submodule') return undefined;
  const now = statOrRefuse(toolbox, path, refusals);
  if (now === 'refused') return undefined;
  if (now !== undefined && isUnchanged(known?.stat, now.stat)) return undefined;
  // If a folder has replaced the file, the walk visits its contents.
  const gone = now === undefined || now.found.isDirectory();
  if (gone) return known === undefined ? undefined : { path, kind: 'deleted', size: 0 };
  const kind = now.found.isFile() ? 'file' : now.found.isSymbolicLink() ? 'symlink' : undefined;
  if (kind === undefined) {
    refusals.add(path, `is ${nameSpecialFile(now.found)}`);
    return undefined;
  }
  if (kind === 'file' && !isReadable(join(toolbox.workspace, path))) {
    refusals.add(path, 'cannot be read');
    return undefined;
  }
  if (isSameContent(toolbox, path, kind, now.stat)) return undefined;
  const linkFault =
    kind === 'symlink' ? findTargetFault(path, readlinkSync(join(toolbox.workspace, path))) : undefined;
  if (linkFault !== undefined) {
    refusals.add(path, linkFault);
    return undefined;
  }
  return { path, kind, size: Number(now.stat.size) };
}

/** A command may have removed the permissions of a folder: its files are neither deleted nor readable. */
function statOrRefuse({ workspace }: Toolbox, path: string, refusals: Refusals) {
  try {
    return takeStat(join(workspace, path));
  } catch (error) {
    refusals.add(path, `cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    return 'refused';
  }
}

/** If the content is the same, the new stat is stored, so that the file is not read again. */
function isSameContent({ index, workspace }: Toolbox, path: string, kind: string, stat: FileStat): boolean {
  const known = index.get(path);
  if (known?.stat === undefined || known.kind !== kind || known.stat.size !== stat.size) return false;
  if (kind === 'file' && known.executable !== ((stat.mode & 0o100n) !== 0n)) return false;
  if (hashContent(join(workspace, path), kind, Number(stat.size)) !== known.blob) return false;
  index.set(path, { ...known, stat });
  return true;
}

function isReadable(realPath: string): boolean {
  try {
    accessSync(realPath, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function nameSpecialFile(stat: BigIntStats): string {
  if (stat.isFIFO()) return 'a fifo';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

export interface Refusals {
  add(path: string, reason: string): void;
  listed(): Refused[];
  count(): number;
}

/** Lists the first ones and counts all: a hostile workspace can contain any number. */
function createRefusals(): Refusals {
  const list: Refused[] = [];
  let count = 0;
  let bytes = 0;
  return {
    add(path, reason) {
      count += 1;
      const refused = { path: path.slice(0, 1000), reason };
      // JSON escapes can make a text six times as long.
      bytes += JSON.stringify(refused).length;
      if (list.length < maxListed && bytes <= maxListedBytes) list.push(refused);
    },
    listed: () => list,
    count: () => count,
  };
}
