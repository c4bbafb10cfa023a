import { GitError, inspectSource } from '@fettle/git';
import type { Work } from './work.ts';

/** Tells of changes in the person's own clone that nobody committed: they are left alone, and not part of the work. */
export async function noticeUncommitted({ claim, record }: Work): Promise<void> {
  const inspected = await inspectSource(claim.source.url).catch((error: unknown) => {
    // Whether it can be read at all is found out elsewhere, and said there.
    if (error instanceof GitError) return undefined;
    throw error;
  });
  if (!inspected?.hasUncommittedChanges) return;
  const message = 'The repository has uncommitted changes; they are not part of this operation.';
  await record({ type: 'notice', level: 'info', code: 'uncommitted_changes', message });
}
