import type { ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { GitError, type GitErrorCode, pushCommit } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import type { Committed } from '../attempt/read-earlier.ts';
import { explainGit } from '../mirror/git-access.ts';
import { retryLater, withGitAccess } from '../mirror/with-git-access.ts';
import { withdrawIfUnwanted } from './withdraw-leftovers.ts';

export type CommittedProposal = Omit<Committed, 'operationId' | 'position' | 'at'>;

/** Errors that may pass by themselves. The commit is on record, so the next attempt only has to push it. */
const temporaryErrors: { [Code in GitErrorCode]?: ReasonCode } = {
  disk_full: 'disk_full',
  failed: 'push_rejected',
  locked: 'push_rejected',
  target_failed: 'push_rejected',
  timeout: 'repository_unreachable',
  unreachable: 'repository_unreachable',
};

type Pushed = { ok: true; branch: string } | { ok: false; message: string };

/**
 * Never pushes by force. If the name of a new branch is taken, a suffix from the operation's id makes it unique. The branch
 * of a revision has to be at the parent of its commit.
 */
export async function pushBranch(
  attempt: Pick<Attempt, 'claim' | 'config' | 'ownership' | 'publish' | 'record' | 'stop'>,
  mirror: string,
  { committed, parent }: { committed: CommittedProposal; parent: string | undefined },
): Promise<Pushed> {
  const { claim, ownership, record, stop } = attempt;
  const { branch: name, headCommit: commit } = committed;
  const target = claim.source.url;
  const suffix = `-${claim.operation.id.slice(-6)}`;
  let message = '';
  // A revision stays on its branch.
  const isFixed = parent !== undefined || name.endsWith(suffix);
  for (const branch of isFixed ? [name] : [name, name + suffix]) {
    // Recorded before the push, so that a later attempt uses the same branch.
    if (branch !== name) await record.append({ ...committed, type: 'proposal.committed', branch });
    crashPoint('before-push');
    try {
      await withGitAccess(attempt, async (access) => {
        // Immediately before the push: a process that was suspended may have lost the operation.
        await ownership.assertOwned();
        crashPoint('push-allowed');
        const { signal } = stop;
        await pushCommit({ mirror, target, commit, branch, expected: parent, signal, ...access });
      });
      crashPoint('after-push');
      return { ok: true, branch };
    } catch (error) {
      await withdrawIfUnwanted(attempt, { branch, headCommit: commit });
      if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
      const reason = temporaryErrors[error.code];
      if (reason) throw retryLater(attempt, { reason, message: `${target}: ${explainGit(error)}` });
      message = explainGit(error);
      if (error.code !== 'push_rejected') break;
    }
  }
  return { ok: false, message };
}
