import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';

export interface CommittedFile {
  path: string;
  /** The bytes of the path, which need not be UTF-8, one character each. */
  rawPath: string;
  executable: boolean;
  oid: string;
  size: number;
}

/** The regular files of a commit, without symbolic links and submodules, that a condition on their path selects. */
export async function listFiles(
  mirror: string,
  commit: string,
  isWanted: (path: string) => boolean,
): Promise<CommittedFile[]> {
  assertObjectId(commit);
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit];
  const { stdout } = await runGit({ gitDir: mirror, args, maxBytes: 512 * 1024 * 1024 });
  const files: CommittedFile[] = [];
  for (const record of stdout.toString('latin1').split('\0').slice(0, -1)) {
    const tab = record.indexOf('\t');
    const [mode = '', , oid = '', size] = record.slice(0, tab).split(/ +/);
    const rawPath = record.slice(tab + 1);
    const path = Buffer.from(rawPath, 'latin1').toString();
    if (mode.startsWith('100') && isWanted(path))
      files.push({ path, rawPath, executable: mode === '100755', oid, size: Number(size) });
  }
  return files;
}

/** The contents of the files, in the same order. */
export { readObjects as readFileObjects } from './object-batch.ts';
