import { GitError, inspectSource } from '@fettle/git';
import type { Work } from '../attempt/attempt.ts';
import { isRemote } from '../mirror/git-access.ts';

/** Tells of what in the person's own clone is not part of the work: what nobody committed, and a HEAD on no branch. */
export async function noticeSource({ claim, record }: Work): Promise<void> {
  if (isRemote(claim.source.url)) return;
  const inspected = await inspectSource(claim.source.url).catch((error: unknown) => {
    // Whether it can be read at all is found out elsewhere, and said there.
    if (error instanceof GitError) return undefined;
    throw error;
  });
  if (
    inspected?.isRepository &&
    inspected.currentBranch === undefined &&
    !claim.operation.request.baseBranch
  ) {
    const message =
      'The repository is on no branch (its HEAD is detached): the work starts from its default branch. Name another as the base branch.';
    await record({ type: 'notice', level: 'info', code: 'detached_head', message });
  }
  if (!inspected?.hasUncommittedChanges) return;
  const message = 'The repository has uncommitted changes; they are not part of this operation.';
  await record({ type: 'notice', level: 'info', code: 'uncommitted_changes', message });
}
