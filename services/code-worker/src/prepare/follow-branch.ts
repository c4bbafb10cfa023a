/** Finds the commit that a revision starts from: the head of its branch, which others may have moved. */
import { diffCommits, isAncestor } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/ends.ts';
import type { Revision } from '../attempt/read-revision.ts';
import { hasCommit } from '../mirror/mirror.ts';
import { type FindNeeds, syncHeads } from './find-base.ts';

export interface FollowedBranch {
  ok: true;
  /** The commit that the next one follows. */
  parent: string;
  /** The checkpoint to start from, where this attempt is the first of its revision. */
  checkpoint?: string;
  changedByOthers: string[];
}

/**
 * Recorded, so that a later attempt at the same revision continues from the same commit. A revision never starts from the
 * last checkpoint of the agent, which may contain work of an earlier revision that was not proposed.
 */
export async function followBranch(
  attempt: FindNeeds & Pick<Attempt, 'record'>,
  { proposed, followed }: Revision,
): Promise<FollowedBranch | Failure> {
  const { branch, headCommit } = proposed;
  const synced = await syncHeads(attempt);
  if (!synced.ok) return synced;
  const { mirror, heads } = synced;
  const listChanges = async (commit: string) => {
    const { files } = await diffCommits({ mirror, from: headCommit, to: commit, maxBytes: 0 });
    return files.map(({ path }) => path);
  };
  if (followed !== undefined && (await hasCommit(mirror, followed)))
    return { ok: true, parent: followed, changedByOthers: await listChanges(followed) };
  const head = heads.get(branch);
  if (head === undefined || followed !== undefined)
    return failure('branch_gone', `The branch ${branch} no longer exists, or no longer has ${followed}.`);
  if (!(await isAncestor(mirror, headCommit, head)))
    return failure(
      'branch_rewritten',
      `The branch ${branch} is at ${head}, which does not contain ${headCommit}.`,
    );
  await attempt.record.append({
    type: 'branch.followed',
    ...{ branch, commit: head, byOthers: head !== headCommit },
  });
  return { ok: true, parent: head, checkpoint: head, changedByOthers: await listChanges(head) };
}
