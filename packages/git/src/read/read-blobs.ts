/** Reads files from a commit by path. */
import { GitError } from '../process/git-error.ts';
import { assertObjectId } from '../process/names.ts';
import { pathFlaw } from '../write/tree-path.ts';
import { type GitObject, readObjects } from './object-batch.ts';

/** A file or a symbolic link. The bytes of a link are its target. */
export type FoundBlob =
  | { kind: 'blob'; bytes: Buffer; executable: boolean }
  | { kind: 'link'; bytes: Buffer };

export type BlobAt = FoundBlob | { kind: 'missing' } | { kind: 'too_large' };

const defaultMaxBytes = 8 * 1024 * 1024;
/** For the folders, which are read to learn the modes. */
const folderBytes = 16 * 1024 * 1024;

/** One file of a commit. A folder, a submodule and an invalid path are missing. */
export async function readBlobAt(
  mirror: string,
  commit: string,
  path: string,
  { maxBytes = defaultMaxBytes }: { maxBytes?: number | undefined } = {},
): Promise<BlobAt> {
  try {
    return (await readBlobsAt(mirror, commit, [path], { maxBytes })).get(path) ?? { kind: 'missing' };
  } catch (error) {
    if (error instanceof GitError && error.code === 'too_large') return { kind: 'too_large' };
    throw error;
  }
}

/** Those of the paths that the commit contains, read in one process. Throws `too_large` if they exceed `maxBytes` together. */
export async function readBlobsAt(
  mirror: string,
  commit: string,
  paths: readonly string[],
  { maxBytes = defaultMaxBytes }: { maxBytes?: number | undefined } = {},
): Promise<Map<string, FoundBlob>> {
  assertObjectId(commit);
  const valid = [...new Set(paths)].filter((path) => pathFlaw(path) === undefined);
  const names = valid.flatMap((path) => [`${commit}:${folderOf(path)}`, `${commit}:${path}`]);
  const objects = await readObjects(mirror, names, maxBytes + folderBytes);
  const found = new Map<string, FoundBlob>();
  let total = 0;
  valid.forEach((path, index) => {
    const blob = toBlob(objects[2 * index], objects[2 * index + 1], path);
    if (!blob) return;
    total += blob.bytes.length;
    found.set(path, blob);
  });
  if (total > maxBytes) throw new GitError('too_large', `${valid.join(', ')}: more than ${maxBytes} bytes.`);
  return found;
}

function toBlob(
  folder: GitObject | undefined,
  blob: GitObject | undefined,
  path: string,
): FoundBlob | undefined {
  if (folder?.type !== 'tree' || blob?.type !== 'blob') return undefined;
  const { bytes } = blob;
  const mode = modeOf(folder.bytes, path.slice(path.lastIndexOf('/') + 1));
  return mode === '120000' ? { kind: 'link', bytes } : { kind: 'blob', bytes, executable: mode === '100755' };
}

/** A tree object is a sequence of `mode name NUL id`, with the id as 20 bytes. */
function modeOf(tree: Buffer, name: string): string | undefined {
  let position = 0;
  while (position < tree.length) {
    const space = tree.indexOf(32, position);
    const end = tree.indexOf(0, space);
    if (tree.toString('utf8', space + 1, end) === name) return tree.toString('latin1', position, space);
    position = end + 21;
  }
  return undefined;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}
