import { GitError } from '../process/git-error.ts';
import { assertObjectId } from '../process/names.ts';
import { pathFlaw } from '../write/tree-path.ts';
import { type GitObject, readObjects } from './object-batch.ts';

export interface BlobAtPath {
  bytes: Buffer;
  executable: boolean;
  symlink: boolean;
}

interface ReadBlobOptions {
  /** A blob that is larger is an error, not a cut. */
  maxBytes?: number | undefined;
}

const defaultMaxBytes = 8 * 1024 * 1024;
/** Room for the folders that have to be read to learn the modes. */
const folderBytes = 16 * 1024 * 1024;

export async function readBlobAt(
  mirror: string,
  commit: string,
  path: string,
  options: ReadBlobOptions = {},
): Promise<BlobAtPath | undefined> {
  const blobs = await readBlobsAt(mirror, commit, [path], options);
  return blobs.get(path);
}

/** The files among `paths` that the commit has, in one process; `maxBytes` holds for all of them together. */
export async function readBlobsAt(
  mirror: string,
  commit: string,
  paths: readonly string[],
  { maxBytes = defaultMaxBytes }: ReadBlobOptions = {},
): Promise<Map<string, BlobAtPath>> {
  assertObjectId(commit);
  // A path that no tree may hold is not there.
  const wanted = [...new Set(paths)].filter((path) => pathFlaw(path) === undefined);
  const names = wanted.flatMap((path) => [`${commit}:${folderOf(path)}`, `${commit}:${path}`]);
  const objects = await readObjects(mirror, names, maxBytes + folderBytes);
  const found = new Map<string, BlobAtPath>();
  let total = 0;
  wanted.forEach((path, index) => {
    const blob = toBlob(objects[2 * index], objects[2 * index + 1], path);
    if (!blob) return;
    total += blob.bytes.length;
    found.set(path, blob);
  });
  if (total > maxBytes) throw new GitError('too_large', `${wanted.join(', ')}: more than ${maxBytes} bytes.`);
  return found;
}

function toBlob(folder: GitObject | undefined, blob: GitObject | undefined, path: string) {
  if (folder?.type !== 'tree' || blob?.type !== 'blob') return undefined;
  const mode = modeOf(folder.bytes, path.slice(path.lastIndexOf('/') + 1));
  return { bytes: blob.bytes, executable: mode === '100755', symlink: mode === '120000' };
}

/** A tree object is a row of `mode name NUL id`, the id as 20 bytes. */
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
