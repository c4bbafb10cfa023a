import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertObjectId, isBranchName, isObjectId, isRefName } from '../process/names.ts';

/** The full id of the commit that a branch, a full ref name or an (abbreviated) object id refers to. */
export async function resolveCommit(mirror: string, name: string): Promise<string> {
  const commit = await findCommit(mirror, name);
  if (commit) return commit;
  throw new GitError('bad_ref', `"${name}" is not a commit of this repository.`);
}

/** The id of the tree of a commit: commits with the same tree have the same files. */
export async function resolveTree(mirror: string, commit: string): Promise<string> {
  assertObjectId(commit);
  const args = ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`];
  const { stdout } = await runGit({ gitDir: mirror, args });
  return stdout.toString().trim();
}

export async function findCommit(mirror: string, name: string): Promise<string | undefined> {
  const candidates = candidatesFor(name);
  if (candidates.length === 0) return undefined;
  const input = candidates.map((candidate) => `${candidate}^{commit}\n`).join('');
  const { stdout } = await runGit({ gitDir: mirror, args: ['cat-file', '--batch-check'], input });
  return /^([0-9a-f]{40}) commit /m.exec(stdout.toString())?.[1];
}

function candidatesFor(name: string): string[] {
  if (isObjectId(name)) return [name];
  if (isRefName(name)) return [name];
  if (!isBranchName(name)) return [];
  return /^[0-9a-f]{7,39}$/.test(name) ? [`refs/heads/${name}`, name] : [`refs/heads/${name}`];
}
