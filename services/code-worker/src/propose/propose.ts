/** From a commit on record to its pull request. An attempt that comes after pushes the same commit to the same branch. */
import type { Outcome, ReasonCode } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { diffCommits, GitError, type GitErrorCode, pushCommit, resolveCommit } from '@fettle/git';
import type { Work } from '../attempt/attempt.ts';
import { failure } from '../attempt/failure.ts';
import type { Committed, Earlier } from '../attempt/read-earlier.ts';
import { MustWait } from '../attempt/retry-later.ts';
import { explainGit } from '../mirror/git-access.ts';
import { mirrorOf } from '../mirror/mirror-place.ts';
import { describeForOperator, toTell } from '../secrets/describe-secrets.ts';
import { createStanding } from '../secrets/known-secrets.ts';
import { scanPush } from '../secrets/scan-push.ts';
import { withdrawIfUnwanted } from './withdraw-leftovers.ts';

const diffBytes = 1_000_000;
const shownDiffCharacters = 20_000;

export async function deliver(
  work: Work,
  base: NonNullable<Earlier['base']>,
  committed: Omit<Committed, 'operationId' | 'position' | 'at'>,
  { isOpened = false, isScanned = false }: { isOpened?: boolean; isScanned?: boolean },
): Promise<Outcome> {
  const mirror = mirrorOf(work);
  const { headCommit, draft, title, body, reason, message } = committed;
  if (!(await isThere(mirror, headCommit)))
    return failure('checkpoint_lost', `The commit ${headCommit} is not in ${mirror}.`).outcome;
  await work.moveTo('proposing');
  const leak = isScanned ? undefined : await findLeak(work, { mirror, base: base.commit, committed });
  if (leak) return leak;
  const diff = await diffCommits({ mirror, from: base.commit, to: headCommit, maxBytes: diffBytes });
  const stat = { files: diff.files.length, added: diff.added, deleted: diff.deleted };

  const pushed = await push(work, mirror, committed);
  if (!pushed.ok) return { kind: 'failure', reason: 'push_rejected', message: pushed.message };
  const place = { branch: pushed.branch, baseBranch: base.branch, headCommit, draft, stat };
  try {
    crashPoint('before-pull-request');
    const pullRequest = await work.openPullRequest({
      ...place,
      baseCommit: base.commit,
      title,
      body,
      commits: [{ oid: headCommit, subject: title }],
      diff: diff.text,
    });
    crashPoint('after-pull-request');
    const shownDiff = diff.text.slice(0, shownDiffCharacters);
    if (!isOpened) await work.record({ type: 'proposal.opened', ...place, pullRequest, diff: shownDiff });
    const shortfall = { ...(reason && { reason }), ...(message !== undefined && { message }) };
    return { kind: 'proposal', draft, branch: pushed.branch, headCommit, pullRequest, ...shortfall };
  } catch (error) {
    await withdrawIfUnwanted(work, place);
    throw error;
  }
}

/** What an earlier attempt had committed is scanned anew: it may have been another worker, with other rules. */
async function findLeak(
  { readAllowances, redaction, secondOpinion, signal }: Work,
  { mirror, base, committed }: { mirror: string; base: string; committed: Parameters<typeof deliver>[2] },
): Promise<Outcome | undefined> {
  const { headCommit: head, branch, title, body } = committed;
  const { files, texts } = await scanPush({
    ...{ mirror, base, head, own: redaction.places, secondOpinion, signal },
    texts: { branch, title, body },
    sort: createStanding({ mirror, base, readAllowances }),
  });
  const findings = toTell([...files.fresh, ...texts]);
  if (findings.length === 0) return undefined;
  return { kind: 'failure', reason: 'secrets_found', message: describeForOperator(findings) };
}

/** What may pass. The commit is on record, so that the next attempt has nothing to do but to push it. */
const passingFaults: { [Code in GitErrorCode]?: ReasonCode } = {
  disk_full: 'disk_full',
  failed: 'push_rejected',
  locked: 'push_rejected',
  target_failed: 'push_rejected',
  timeout: 'repository_unreachable',
  unreachable: 'repository_unreachable',
};

type Pushed = { ok: true; branch: string } | { ok: false; message: string };

/** Never by force: where the name is taken, the operation's own id makes it unique. */
async function push(work: Work, mirror: string, committed: Parameters<typeof deliver>[2]): Promise<Pushed> {
  const { claim, signal } = work;
  const { branch: name, headCommit: commit } = committed;
  const suffix = `-${claim.operation.id.slice(-6)}`;
  let message = '';
  for (const branch of name.endsWith(suffix) ? [name] : [name, name + suffix]) {
    // On record before the push, so that no later attempt takes another one.
    if (branch !== name) await work.record({ ...committed, type: 'proposal.committed', branch });
    crashPoint('before-push');
    const access = await work.gitAccess();
    // The last thing before it: whoever slept until now may have lost the operation meanwhile.
    await work.assertOwned();
    crashPoint('push-allowed');
    try {
      await pushCommit({ mirror, target: claim.source.url, commit, branch, signal, ...access });
      crashPoint('after-push');
      return { ok: true, branch };
    } catch (error) {
      await withdrawIfUnwanted(work, { branch, headCommit: commit });
      if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
      const passing = passingFaults[error.code];
      if (passing) throw new MustWait(passing, `${claim.source.url}: ${explainGit(error)}`);
      message = explainGit(error);
      if (error.code !== 'push_rejected') break;
    }
  }
  return { ok: false, message };
}

async function isThere(mirror: string, commit: string): Promise<boolean> {
  return resolveCommit(mirror, commit).then(
    () => true,
    () => false,
  );
}
