import type { ReasonCode } from '@fettle/contract';
import { GitError, type GitErrorCode, type MirrorState, syncMirror } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/ends.ts';
import { explainGit, isRemote } from '../mirror/git-access.ts';
import { checkpointRef, hasCommit, mirrorOf } from '../mirror/mirror.ts';
import { retryLater, withGitAccess } from '../mirror/with-git-access.ts';
import { restoreCheckpoints } from './restore-checkpoints.ts';

/** Errors that may pass by themselves. All others fail the operation at once. */
const temporaryErrors: { [Code in GitErrorCode]?: ReasonCode } = {
  disk_full: 'disk_full',
  locked: 'repository_unreachable',
  timeout: 'repository_unreachable',
  unreachable: 'repository_unreachable',
};

export interface FoundBase {
  ok: true;
  mirror: string;
  branch: string;
  commit: string;
}

/** The base of an earlier attempt. Another machine may have made that attempt. */
export async function findEarlierBase(
  attempt: FindNeeds,
  { branch, commit }: { branch: string; commit: string },
  checkpoint: string | undefined,
): Promise<FoundBase | Failure> {
  const mirror = mirrorOf(attempt);
  if (!(await hasCommit(mirror, commit))) {
    // Another machine started the operation: this one fetches the repository first.
    const fetched = await findBase(attempt);
    if (!fetched.ok) return fetched;
    if (!(await hasCommit(mirror, commit)))
      return failure('checkpoint_lost', `The repository no longer has the base commit ${commit}.`);
  }
  const missing =
    checkpoint &&
    (await restoreCheckpoints(attempt.checkpoints, {
      mirror,
      ref: checkpointRef(attempt),
      base: commit,
      checkpoint,
    }));
  if (missing)
    return failure(
      'checkpoint_lost',
      `The checkpoint ${missing} is not stored, or is damaged, so the work since then cannot be restored. Run the request again.`,
    );
  return { ok: true, mirror, branch, commit };
}

export type FindNeeds = Pick<Attempt, 'checkpoints' | 'claim' | 'config' | 'log' | 'ownership' | 'stop'>;

/** Updates the mirror and finds the commit to start from. */
export async function findBase(attempt: Omit<FindNeeds, 'checkpoints'>): Promise<FoundBase | Failure> {
  const { source, operation } = attempt.claim;
  const synced = await syncHeads(attempt);
  if (!synced.ok) return synced;
  const { mirror, heads, defaultBranch, empty } = synced;
  if (empty) return failure('repository_empty', describeEmpty(operation.repository, source.url));
  const branch = operation.request.baseBranch ?? defaultBranch;
  const commit = branch === undefined ? undefined : heads.get(branch);
  if (branch === undefined || commit === undefined) {
    const known = [...heads.keys()].slice(0, 10).join(', ');
    return failure(
      'base_branch_not_found',
      `There is no branch ${branch ?? '(HEAD names none)'}. Existing branches: ${known}`,
    );
  }
  return { ok: true, mirror, branch, commit };
}

/** Fetches all branches of the repository. */
export async function syncHeads(
  attempt: Omit<FindNeeds, 'checkpoints'>,
): Promise<({ ok: true; mirror: string } & MirrorState) | Failure> {
  const { claim, log, stop } = attempt;
  const { source } = claim;
  const mirror = mirrorOf(attempt);
  try {
    const state = await withGitAccess(attempt, (access) =>
      syncMirror({
        mirror,
        source: source.url,
        signal: stop.signal,
        onRebuilt: ({ detail }) => log.warn({ mirror, why: detail }, 'a damaged mirror was rebuilt'),
        ...access,
      }),
    );
    return { ok: true, mirror, ...state };
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    const reason = temporaryErrors[error.code];
    if (reason) throw retryLater(attempt, { reason, message: `${source.url}: ${explainGit(error)}` });
    return failure(
      error.code === 'not_a_repository' ? 'repository_not_found' : 'repository_unreachable',
      explainGit(error),
    );
  }
}

function describeEmpty(repository: string, url: string): string {
  return isRemote(url)
    ? `${repository} has no commits yet, or there is no git repository at that address`
    : `${repository} has no commits yet: commit something first`;
}
