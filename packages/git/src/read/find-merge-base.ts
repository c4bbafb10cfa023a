import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';

/** The best common ancestor of two commits; undefined if they have none. */
export async function findMergeBase(mirror: string, one: string, other: string): Promise<string | undefined> {
  assertObjectId(one);
  assertObjectId(other);
  const { stdout } = await runGit({ gitDir: mirror, args: ['merge-base', one, other], exitCodes: [0, 1] });
  return stdout.toString().trim().split('\n')[0] || undefined;
}
