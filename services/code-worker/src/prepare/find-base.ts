import type { ReasonCode } from '@fettle/contract';
import { GitError, type GitErrorCode, resolveCommit, syncMirror } from '@fettle/git';
import type { Work } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/failure.ts';
import { MustWait } from '../attempt/retry-later.ts';
import { explainGit, isRemote } from '../mirror/git-access.ts';
import { mirrorOf } from '../mirror/mirror-place.ts';

/** What may pass: a disk that is full, a host or a folder that is away. Where there is certainly nothing, nobody waits. */
const passingFaults: { [Code in GitErrorCode]?: ReasonCode } = {
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

/** What an earlier attempt started from and got to, as long as the mirror still has it. */
export async function findEarlierBase(
  work: Work,
  { branch, commit }: { branch: string; commit: string },
  checkpoint: string | undefined,
): Promise<FoundBase | Failure> {
  const mirror = mirrorOf(work);
  for (const wanted of [commit, checkpoint ?? commit]) {
    const isThere = await resolveCommit(mirror, wanted).then(Boolean, () => false);
    if (!isThere) return failure('checkpoint_lost', `The commit ${wanted} is not in ${mirror}.`);
  }
  return { ok: true, mirror, branch, commit };
}

/** Brings the repository's mirror up to date and finds the commit to start from. */
export async function findBase(work: Work): Promise<FoundBase | Failure> {
  const { claim, signal } = work;
  const { source, operation } = claim;
  const mirror = mirrorOf(work);
  try {
    const { heads, defaultBranch, empty } = await syncMirror({
      mirror,
      source: source.url,
      signal,
      onRebuilt: ({ detail }) => work.log.warn({ mirror, why: detail }, 'a damaged mirror was made anew'),
      ...(await work.gitAccess()),
    });
    if (empty)
      return failure(
        'repository_empty',
        isRemote(source.url)
          ? `${operation.repository} has no commit yet, or there is no git repository at that address`
          : `${operation.repository} has no commit yet: commit something first`,
      );
    const branch = operation.request.baseBranch ?? defaultBranch;
    const commit = branch === undefined ? undefined : heads.get(branch);
    if (branch === undefined || commit === undefined) {
      const known = [...heads.keys()].slice(0, 10).join(', ');
      return failure(
        'base_branch_not_found',
        `there is no branch ${branch ?? '(HEAD names none)'}; there are: ${known}`,
      );
    }
    return { ok: true, mirror, branch, commit };
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    const passing = passingFaults[error.code];
    if (passing) throw new MustWait(passing, `${source.url}: ${explainGit(error)}`);
    return failure(
      error.code === 'not_a_repository' ? 'repository_not_found' : 'repository_unreachable',
      explainGit(error),
    );
  }
}
