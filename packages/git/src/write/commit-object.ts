/** A commit as git stores it, for a store that outlives the machine. */
import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import { findCommit } from '../read/resolve-commit.ts';

export async function readCommitObject(mirror: string, commit: string): Promise<Buffer> {
  assertObjectId(commit);
  const { stdout } = await runGit({ gitDir: mirror, args: ['cat-file', 'commit', commit] });
  return stdout;
}

/** Writes the commit, whose tree must be in the mirror, and fails if it is not the expected one. */
export async function writeCommitObject(mirror: string, commit: string, bytes: Buffer): Promise<void> {
  assertObjectId(commit);
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  const { stdout } = await runGit({ gitDir: mirror, args, input: bytes });
  const written = stdout.toString().trim();
  if (written !== commit) throw new GitError('failed', `The stored commit is ${written}, not ${commit}.`);
  if (!(await findCommit(mirror, commit)))
    throw new GitError('failed', `The commit ${commit} cannot be read.`);
}
