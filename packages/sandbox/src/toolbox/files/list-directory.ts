import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { DirectoryEntry, ListDirectoryResult } from '../../protocol/schemas.ts';
import { normalizePath, show } from '../../protocol/workspace-path.ts';
import { keepWithinFrame } from '../result-budget.ts';
import type { Toolbox } from '../toolbox.ts';
import { resolveForReading } from './resolve-path.ts';
import { kindOf } from './stat-file.ts';

/** Counting stops here. */
const maxCounted = 100_000;

/** Lists ignored folders, such as node_modules, but does not enter them unless one is the requested path. */
export async function listDirectory(
  { workspace, ignoreRules }: Toolbox,
  { path, maxEntries, depth }: Requests['listDirectory']['params'],
): Promise<ListDirectoryResult> {
  const top = normalizePath(path);
  const realTop = resolveForReading(workspace, path, { last: 'follow' });
  if (!lstatSync(realTop).isDirectory()) {
    throw new SandboxError('not_directory', `${show(path)} is not a directory`);
  }
  const yieldNow = createYield();
  const listed: { path: string; entry: Dirent }[] = [];
  const pending = [{ shown: top, real: realTop, depthLeft: depth }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const entry of next.real === realTop ? readSorted(realTop) : readSortedIfPossible(next.real)) {
      const shown = next.shown === '' ? entry.name : `${next.shown}/${entry.name}`;
      if (shown === '.git' || listed.length >= maxCounted) continue;
      const realPath = join(next.real, entry.name);
      listed.push({ path: shown, entry });
      if (entry.isDirectory() && next.depthLeft > 1 && !ignoreRules.ignores(shown, 'directory')) {
        pending.push({ shown, real: realPath, depthLeft: next.depthLeft - 1 });
      }
      await yieldNow();
    }
  }
  const entries = listed
    .slice(0, maxEntries)
    .map(({ path, entry }): DirectoryEntry => ({ path, kind: kindOf(entry) }));
  const { kept } = keepWithinFrame(entries, maxEntries);
  return { entries: kept, total: listed.length, truncated: kept.length < listed.length };
}

function readSorted(folder: string): Dirent[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Below the top folder, a folder that cannot be read is listed without its contents. */
function readSortedIfPossible(folder: string): Dirent[] {
  try {
    return readSorted(folder);
  } catch {
    return [];
  }
}
