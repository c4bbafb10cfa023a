import { findMergeBase, isAncestor, resolveCommit } from '@fettle/git';

/**
 * The commit that a proposal is compared with. Others may have merged the base branch into the branch of a proposal: what
 * came with it is no part of the change, so the comparison starts at the latest commit of the base branch that both have.
 */
export async function findDiffBase(
  mirror: string,
  { branch, commit }: { branch: string; commit: string },
  head: string,
): Promise<string> {
  const tip = await resolveCommit(mirror, branch).catch(() => undefined);
  const shared = tip && (await findMergeBase(mirror, tip, head));
  if (shared === undefined || shared === '' || shared === head) return commit;
  // A base branch that was rewritten no longer contains the base commit.
  return (await isAncestor(mirror, commit, shared)) ? shared : commit;
}
