/** From a draft to a pull request. No model is involved: the same change results in the same commit on the same branch. */
import type { Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { diffCommits, readCommitObject } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import { mirrorOf } from '../mirror/mirror.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { noProof, proveCommit } from '../prove/prove-commit.ts';
import { describeForOperator, toReport } from '../secrets/describe-secrets.ts';
import { createSecretSorter } from '../secrets/known-secrets.ts';
import { scanPush } from '../secrets/scan-push.ts';
import type { ReadyToPropose } from '../verify/rounds.ts';
import { withoutMark } from './describe-proof.ts';
import { draftProposal } from './draft-proposal.ts';
import { type CommittedProposal, pushBranch } from './push-branch.ts';
import { restoreProposal } from './restore-proposal.ts';
import { withdrawIfUnwanted } from './withdraw-leftovers.ts';

const maxDiffBytes = 1_000_000;
const maxShownDiff = 20_000;

type Stage = Omit<Attempt, 'messages' | 'model' | 'spent'>;
type Base = NonNullable<Earlier['base']>;

/** Proposes a verified change. The operation is already in the state `proposing`. */
export async function propose(
  attempt: Stage,
  workspace: Workspace,
  { sources, change, draft }: ReadyToPropose,
): Promise<Outcome> {
  // Everything that is needed from here on is in the mirror.
  workspace.closeSandbox(workspace.sandbox);
  if (draft === undefined) {
    if (change.shortfall) return { kind: 'failure', ...change.shortfall };
    return { kind: 'unchanged', message: change.summary || 'The agent has undone all of its changes.' };
  }
  // A draft of an agent that had to stop is not proven. A failed one is, so that it shows what fails.
  const isStopped = change.shortfall && change.shortfall.reason !== 'verification_failed';
  const proof = isStopped
    ? noProof()
    : await proveCommit(attempt, workspace, { ...sources, commit: draft.headCommit });
  const shortfall = change.shortfall ?? proof.shortfall;
  // The text reports the proof, so it is written again, and scanned again. The tree is the one that was proven.
  const final = await draftProposal(attempt, workspace, {
    ...change,
    ...(shortfall && { shortfall }),
    proof,
  });
  if (final.kind === 'nothing') throw new Error('a proven change has no files');
  if (final.kind !== 'draft') return final.outcome;
  const { branch, headCommit, title, body } = final;
  const committed: CommittedProposal = {
    type: 'proposal.committed',
    ...{ branch, headCommit, title, body },
    ...{ draft: shortfall !== undefined, proof: proof.status, evidence: proof.evidence },
    ...shortfall,
  };
  await attempt.checkpoints.put(headCommit, await readCommitObject(workspace.mirror, headCommit));
  await attempt.record.append(committed);
  crashPoint('commit-recorded');
  const { baseBranch, baseCommit } = workspace;
  return publish(attempt, { branch: baseBranch, commit: baseCommit }, committed, { isOpened: false });
}

interface Recorded {
  proposal: CommittedProposal;
  isOpened: boolean;
  checkpoint: string | undefined;
}

/** Publishes the commit that an earlier attempt recorded. */
export async function proposeCommitted(
  attempt: Stage,
  base: Base,
  { proposal, isOpened, checkpoint }: Recorded,
): Promise<Outcome> {
  const restored = await restoreProposal(attempt, { base, checkpoint, headCommit: proposal.headCommit });
  if (!restored.ok) return restored.outcome;
  await attempt.state.startProposing({ canStillAct: false });
  const leak = await findLeak(attempt, base.commit, proposal);
  return leak ?? publish(attempt, base, proposal, { isOpened });
}

/** Scans a recorded commit again: another worker may have made it, with other rules. */
async function findLeak(
  attempt: Stage,
  base: string,
  { headCommit: head, branch, title, body }: CommittedProposal,
): Promise<Outcome | undefined> {
  const { readAllowances, redaction, gitleaks } = attempt.secrets;
  const mirror = mirrorOf(attempt);
  const { files, texts } = await scanPush({
    ...{ mirror, base, head, own: redaction.places, gitleaks, signal: attempt.stop.signal },
    texts: { branch, title, body },
    sort: createSecretSorter({ mirror, base, readAllowances }),
  });
  const findings = toReport([...files.fresh, ...texts]);
  return findings.length === 0 ? undefined : failed('secrets_found', describeForOperator(findings));
}

/** Pushes a recorded commit and opens its pull request. Safe to repeat. */
async function publish(
  attempt: Stage,
  base: Base,
  committed: CommittedProposal,
  { isOpened }: { isOpened: boolean },
): Promise<Outcome> {
  const mirror = mirrorOf(attempt);
  const { headCommit, draft, title, body, reason, message, proof, evidence } = committed;
  const diff = await diffCommits({ mirror, from: base.commit, to: headCommit, maxBytes: maxDiffBytes });
  const stat = { files: diff.files.length, added: diff.added, deleted: diff.deleted };
  const pushed = await pushBranch(attempt, mirror, committed);
  if (!pushed.ok) return failed('push_rejected', pushed.message);
  const { branch } = pushed;
  const proposal = { branch, baseBranch: base.branch, headCommit, draft, stat };
  try {
    crashPoint('before-pull-request');
    const pullRequest = await attempt.publish.openPullRequest({
      ...proposal,
      baseCommit: base.commit,
      title,
      body,
      commits: [{ oid: headCommit, subject: withoutMark(title) }],
      diff: diff.text,
    });
    crashPoint('after-pull-request');
    const shownDiff = diff.text.slice(0, maxShownDiff);
    if (!isOpened)
      await attempt.record.append({ type: 'proposal.opened', ...proposal, pullRequest, diff: shownDiff });
    const shortfall = { ...(reason && { reason }), ...(message !== undefined && { message }) };
    const proven = { ...(proof && { proof }), ...(evidence && { evidence }) };
    return { kind: 'proposal', draft, branch, headCommit, pullRequest, ...shortfall, ...proven };
  } catch (error) {
    await withdrawIfUnwanted(attempt, proposal);
    throw error;
  }
}
