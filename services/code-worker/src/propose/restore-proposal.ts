/** Restores the commit of a proposal that an attempt on another machine recorded. */
import { writeCommitObject } from '@fettle/git';
import { type Failure, failure } from '../attempt/ends.ts';
import { hasCommit, mirrorOf } from '../mirror/mirror.ts';
import { type FindNeeds, findEarlierBase, syncHeads } from '../prepare/find-base.ts';

export interface RecordedProposal {
  base: { branch: string; commit: string };
  /** Its tree is the tree of the proposal. */
  checkpoint: string | undefined;
  headCommit: string;
  /** The commit before it, if it is on the branch of the proposal. */
  parent: string | undefined;
}

export async function restoreProposal(
  attempt: FindNeeds,
  { base, checkpoint, headCommit, parent }: RecordedProposal,
): Promise<Failure | { ok: true }> {
  const mirror = mirrorOf(attempt);
  if (await hasCommit(mirror, headCommit)) return { ok: true };
  if (parent !== undefined && !(await hasCommit(mirror, parent))) {
    const synced = await syncHeads(attempt);
    if (!synced.ok) return synced;
  }
  const found = await findEarlierBase(attempt, base, checkpoint);
  if (!found.ok) return found;
  const bytes = await attempt.checkpoints.get(headCommit);
  if (bytes === undefined)
    return failure('checkpoint_lost', `The commit ${headCommit} of the proposal is not stored.`);
  await writeCommitObject(mirror, headCommit, bytes);
  return { ok: true };
}
