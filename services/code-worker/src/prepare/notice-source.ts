import { GitError, inspectSource } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { isRemote } from '../mirror/git-access.ts';

/** Points out what a local clone has that the operation does not use: uncommitted changes and a detached HEAD. */
export async function noticeSource({ claim, record }: Pick<Attempt, 'claim' | 'record'>): Promise<void> {
  if (isRemote(claim.source.url)) return;
  const inspected = await inspectSource(claim.source.url).catch((error: unknown) => {
    // Updating the mirror reports an unreadable repository.
    if (error instanceof GitError) return undefined;
    throw error;
  });
  if (!inspected) return;
  const { isRepository, currentBranch, hasUncommittedChanges } = inspected;
  if (isRepository && currentBranch === undefined && !claim.operation.request.baseBranch) {
    const message =
      'The repository has a detached HEAD, so the change starts from its default branch. To use another one, name it as the base branch.';
    await record.append({ type: 'notice', level: 'info', code: 'detached_head', message });
  }
  if (!hasUncommittedChanges) return;
  const message = 'The repository has uncommitted changes; they are not part of this operation.';
  await record.append({ type: 'notice', level: 'info', code: 'uncommitted_changes', message });
}
