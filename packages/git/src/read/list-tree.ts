import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import { readObjects } from './object-batch.ts';

export interface TreeEntry {
  path: string;
  mode: string;
  /** `commit` for a gitlink, that is, a submodule. */
  type: 'blob' | 'commit';
  oid: string;
  /** Undefined for a gitlink. */
  size: number | undefined;
}

export interface IgnoreFile {
  path: string;
  content: string;
}

const defaultMaxEntries = 500_000;
const maxIgnoreFiles = 1_000;
const maxIgnoreBytes = 4 * 1024 * 1024;
const ignoreName = Buffer.from('.gitignore\0');

/** All files, symbolic links and gitlinks of the commit, in git's order. */
export async function listTree(
  mirror: string,
  commit: string,
  { maxEntries = defaultMaxEntries }: { maxEntries?: number | undefined } = {},
): Promise<TreeEntry[]> {
  assertObjectId(commit);
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, maxBytes: 512 * 1024 * 1024 });
  const records = stdout.toString().split('\0');
  records.pop();
  if (records.length > maxEntries) {
    throw new GitError('too_large', `The tree has ${records.length} files. The limit is ${maxEntries}.`);
  }
  return records.map(parseEntry);
}

export interface TreePaths {
  files: string[];
  submodules: string[];
}

/** The paths of the commit, without modes and sizes. */
export async function listPaths(mirror: string, commit: string): Promise<TreePaths> {
  assertObjectId(commit);
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, maxBytes: 512 * 1024 * 1024 });
  const paths: TreePaths = { files: [], submodules: [] };
  for (const record of stdout.toString().split('\0').slice(0, -1)) {
    const path = record.slice(record.indexOf('\t') + 1);
    (record.startsWith('160000 ') ? paths.submodules : paths.files).push(path);
  }
  return paths;
}

/** The entries in the root folder of the commit, except for folders. */
export async function listRoot(mirror: string, commit: string): Promise<TreeEntry[]> {
  assertObjectId(commit);
  const args = ['ls-tree', '-z', '-l', '--full-tree', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, maxBytes: 64 * 1024 * 1024 });
  const records = stdout.toString().split('\0').slice(0, -1);
  return records.filter((record) => !record.startsWith('040000 ')).map(parseEntry);
}

/** All .gitignore files of the commit. Symbolic links of that name are skipped, as in git. */
export async function readIgnoreFiles(mirror: string, commit: string): Promise<IgnoreFile[]> {
  assertObjectId(commit);
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, maxBytes: 512 * 1024 * 1024 });
  const entries = findIgnoreEntries(stdout);
  if (entries.length > maxIgnoreFiles) {
    throw new GitError('too_large', `The tree has more than ${maxIgnoreFiles} .gitignore files.`);
  }
  const oids = entries.map(({ oid }) => oid);
  const objects = await readObjects(mirror, oids, maxIgnoreBytes);
  return entries.map(({ path }, index) => ({ path, content: objects[index]?.bytes.toString() ?? '' }));
}

/** Searches the raw listing, because parsing every record takes longer than git needs to list them. */
function findIgnoreEntries(listing: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let position = 0;
  for (;;) {
    const at = listing.indexOf(ignoreName, position);
    if (at === -1) return entries;
    const end = at + ignoreName.length - 1;
    position = end + 1;
    const entry = parseEntry(listing.toString('utf8', listing.lastIndexOf(0, at) + 1, end));
    const isRegularFile = entry.mode.startsWith('100');
    if (isRegularFile && /(^|\/)\.gitignore$/.test(entry.path)) entries.push(entry);
  }
}

function parseEntry(record: string): TreeEntry {
  const tab = record.indexOf('\t');
  const [mode = '', type, oid = '', size] = record.slice(0, tab).split(/ +/);
  return {
    path: record.slice(tab + 1),
    mode,
    type: type === 'commit' ? 'commit' : 'blob',
    oid,
    size: size === undefined || size === '-' ? undefined : Number(size),
  };
}
