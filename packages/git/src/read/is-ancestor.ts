import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';

/** Whether `descendant` contains `ancestor`. False if the repository does not have one of them. */
export async function isAncestor(gitDir: string, ancestor: string, descendant: string): Promise<boolean> {
  assertObjectId(ancestor);
  assertObjectId(descendant);
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  const { exitCode } = await runGit({ gitDir, args, exitCodes: [0, 1, 128] });
  return exitCode === 0;
}
