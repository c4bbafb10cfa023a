/** What the toolbox knows about each file that the host has: enough to see by a stat that it has not changed. */
import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { isMissing } from '../describe-failure.ts';

export interface TreeEntry {
  kind: 'file' | 'symlink' | 'submodule';
  executable: boolean;
  /** Git's blob id. */
  blob: string;
  stat: FileStat | undefined;
}

export interface FileStat {
  size: bigint;
  mode: bigint;
  ino: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  takenNs: bigint;
}

export type TreeIndex = Map<string, TreeEntry>;

/** File times come from a clock with a resolution of up to ten milliseconds. */
const racyNs = 20_000_000n;

export function takeStat(path: string): { found: BigIntStats; stat: FileStat } | undefined {
  const takenNs = BigInt(Date.now()) * 1_000_000n;
  try {
    const found = lstatSync(path, { bigint: true });
    const { size, mode, ino, mtimeNs, ctimeNs } = found;
    return { found, stat: { size, mode, ino, mtimeNs, ctimeNs, takenNs } };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Whether equal stats prove equal content. A file that was written in the same clock tick as its stat can be written again
 * without a change of its times, so the content of such a recent file must be compared.
 */
export function isUnchanged(known: FileStat | undefined, now: FileStat): boolean {
  return (
    known !== undefined &&
    known.ctimeNs < known.takenNs - racyNs &&
    known.ctimeNs === now.ctimeNs &&
    known.mtimeNs === now.mtimeNs &&
    known.size === now.size &&
    known.ino === now.ino &&
    known.mode === now.mode
  );
}

export interface TrackedFile {
  path: string;
  /** As in the tree object. Old trees have other permission bits than git writes today. */
  mode: number;
  blob: string;
}

export async function buildTreeIndex(workspace: string, tracked: TrackedFile[]): Promise<TreeIndex> {
  const index: TreeIndex = new Map();
  const yieldNow = createYield();
  for (const { path, mode, blob } of tracked) {
    const kind = kindOfMode(mode);
    index.set(path, {
      kind,
      executable: kind === 'file' && (mode & 0o100) !== 0,
      blob,
      stat: takeStat(join(workspace, path))?.stat,
    });
    await yieldNow();
  }
  return index;
}

function kindOfMode(mode: number): TreeEntry['kind'] {
  const type = mode & 0o170000;
  if (type === 0o120000) return 'symlink';
  return type === 0o160000 ? 'submodule' : 'file';
}
