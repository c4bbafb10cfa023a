/** From a draft to a pull request. No model is involved: the same change results in the same commit on the same branch. */
import type { Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { diffCommits, logCommits, readCommitObject } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import { mirrorOf } from '../mirror/mirror.ts';
import { findDiffBase } from '../prepare/find-diff-base.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { noProof, proveCommit } from '../prove/prove-commit.ts';
import { describeForOperator, toReport } from '../secrets/describe-secrets.ts';
import { createSecretSorter } from '../secrets/known-secrets.ts';
import { scanPush } from '../secrets/scan-push.ts';
import type { ReadyToPropose } from '../verify/rounds.ts';
import { draftProposal } from './draft-proposal.ts';
import { type CommittedProposal, pushBranch } from './push-branch.ts';
import { readPublishing } from './read-publishing.ts';
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
  { sources, change, draft, revision }: ReadyToPropose,
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
  // A finished proposal does not become a draft: it stays as it is.
  if (shortfall && revision?.proposed.draft === false) return { kind: 'failure', ...shortfall };
  // The text reports the proof, so it is written again, and scanned again. The tree is the one that was proven.
  const proven = { ...change, ...(shortfall && { shortfall }), proof };
  const final = await draftProposal(attempt, workspace, proven, revision);
  if (final.kind === 'nothing') throw new Error('a proven change has no files');
  if (final.kind !== 'draft') return final.outcome;
  const { branch, headCommit, title, body } = final;
  const committed: CommittedProposal = {
    type: 'proposal.committed',
    ...{ branch, headCommit, title, body, summary: change.summary },
    ...{ draft: shortfall !== undefined, proof: proof.status, evidence: proof.evidence },
    ...shortfall,
  };
  await attempt.checkpoints.put(headCommit, await readCommitObject(workspace.mirror, headCommit));
  await attempt.record.append(committed);
  crashPoint('commit-recorded');
  const { baseBranch, baseCommit } = workspace;
  const base = { branch: baseBranch, commit: baseCommit };
  return publish(attempt, base, committed, { isOpened: false, parent: revision && workspace.parent });
}

interface Recorded {
  proposal: CommittedProposal;
  isOpened: boolean;
  /** The commit that the branch has to be at. Undefined if the branch must not exist. */
  parent: string | undefined;
  checkpoint: string | undefined;
}

/** Publishes the commit that an earlier attempt recorded. */
export async function proposeCommitted(
  attempt: Stage,
  base: Base,
  { proposal, isOpened, parent, checkpoint }: Recorded,
): Promise<Outcome> {
  const { headCommit } = proposal;
  const restored = await restoreProposal(attempt, { base, checkpoint, headCommit, parent });
  if (!restored.ok) return restored.outcome;
  await attempt.state.startProposing({ canStillAct: false });
  const leak = await findLeak(attempt, { base: base.commit, parent: parent ?? base.commit }, proposal);
  return leak ?? publish(attempt, base, proposal, { isOpened, parent });
}

/** Scans a recorded commit again: another worker may have made it, with other rules. */
async function findLeak(
  attempt: Stage,
  { base, parent }: { base: string; parent: string },
  { headCommit: head, branch, title, body }: CommittedProposal,
): Promise<Outcome | undefined> {
  const { readAllowances, redaction, gitleaks } = attempt.secrets;
  const mirror = mirrorOf(attempt);
  const { files, texts } = await scanPush({
    ...{ mirror, base: parent, head, own: redaction.places, gitleaks, signal: attempt.stop.signal },
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
  { isOpened, parent }: Pick<Recorded, 'isOpened' | 'parent'>,
): Promise<Outcome> {
  const mirror = mirrorOf(attempt);
  const { headCommit, draft, title, body, reason, message, proof, evidence } = committed;
  const from = await findDiffBase(mirror, base, headCommit);
  const diff = await diffCommits({ mirror, from, to: headCommit, maxBytes: maxDiffBytes });
  const stat = { files: diff.files.length, added: diff.added, deleted: diff.deleted };
  const pushed = await pushBranch(attempt, mirror, { committed, parent });
  if (!pushed.ok) return failed(parent ? 'branch_moved' : 'push_rejected', pushed.message);
  const { branch } = pushed;
  const proposal = { branch, baseBranch: base.branch, headCommit, draft, stat };
  const paths = diff.files.map(({ path }) => path);
  const publishing = await readPublishing(mirror, base.commit, paths);
  try {
    crashPoint('before-pull-request');
    const pullRequest = await attempt.publish.openPullRequest({
      ...{ ...proposal, ...publishing },
      baseCommit: base.commit,
      title,
      body,
      commits: await listCommits(mirror, from, headCommit),
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

const maxCommits = 100;

/** The commits of the pull request, oldest first. */
async function listCommits(mirror: string, base: string, head: string) {
  const commits = await logCommits({ mirror, commit: head, except: base, max: maxCommits });
  return commits.map(({ oid, subject }) => ({ oid, subject })).toReversed();
}
