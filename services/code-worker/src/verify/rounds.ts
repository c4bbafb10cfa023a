/** The loop of an operation: the agent acts, the change is verified, reviewed and drafted, until it can be proposed. */
import type { Outcome } from '@fettle/contract';
import { type Act, type Acted, createAct } from '../act/act.ts';
import { noticePrice } from '../act/notice-price.ts';
import { createCommonOptions, firstUserMessage } from '../act/turn-options.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Revision } from '../attempt/read-revision.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type Draft, type Drafted, draftProposal } from '../propose/draft-proposal.ts';
import { createEvidence } from '../prove/fault-evidence.ts';
import { createFreshRuns } from '../prove/fresh-runs.ts';
import type { ProofSources } from '../prove/prove-commit.ts';
import { describeForModel } from '../secrets/describe-secrets.ts';
import { createBaseChecks } from './base-checks.ts';
import { createReviewer, describeFindings, type Reviewer } from './review.ts';
import type { Change } from './verify.ts';
import { verify } from './verify.ts';

/** How many rounds the agent gets before the change becomes a draft. */
const maxRounds = 5;

/** A change that is to be proposed. The operation is in the state `proposing`. */
export interface ReadyToPropose {
  kind: 'ready';
  change: Change;
  /** Undefined if the agent has undone everything that it changed. */
  draft: Draft | undefined;
  sources: ProofSources;
  /** Set if a proposal is revised. */
  revision: Revision | undefined;
}

type RoundResult =
  /** The agent continues: with this message, or with the pending messages of people. */
  | { kind: 'sent_back'; userMessage: string | undefined; nextRound: number }
  | ReadyToPropose
  | { kind: 'ended'; outcome: Outcome };

type Stage = Omit<Attempt, 'ownership' | 'publish'>;

export async function runRounds(
  attempt: Stage,
  workspace: Workspace,
  earlier: Earlier | undefined,
): Promise<Exclude<RoundResult, { kind: 'sent_back' }>> {
  const common = createCommonOptions(attempt, workspace, earlier);
  const base = createBaseChecks(attempt, workspace, earlier?.baseChecks);
  const steps: Steps = {
    attempt,
    workspace,
    act: createAct(attempt, { common, workspace, earlier }),
    sources: {
      base,
      evidence: createEvidence(attempt, workspace, base),
      fresh: createFreshRuns(attempt, workspace),
    },
    // An attempt that continues in a later round may have been asked already.
    canAskForTest: (earlier?.round ?? 1) === 1,
    explanation: earlier?.explanation,
    reviewer: createReviewer(attempt, { common, workspace, earlier }),
    revision: earlier?.revision,
  };
  await attempt.state.moveTo('acting');
  if (!earlier) await noticePrice(attempt);
  let userMessage: string | undefined = firstUserMessage(attempt, workspace);
  let round = earlier?.round || 1;
  for (;;) {
    const result = await runRound(steps, userMessage, round);
    if (result.kind !== 'sent_back') return result;
    userMessage = result.userMessage;
    round = result.nextRound;
  }
}

interface Steps {
  attempt: Stage;
  workspace: Workspace;
  act: Act;
  sources: ProofSources;
  canAskForTest: boolean;
  /** What the agent said before it was asked for a test. */
  explanation: string | undefined;
  reviewer: Reviewer;
  revision: Revision | undefined;
}

async function runRound(steps: Steps, userMessage: string | undefined, round: number): Promise<RoundResult> {
  const { attempt, workspace, act, sources, canAskForTest, reviewer, revision } = steps;
  const acted = await act(userMessage, round);
  if (acted.kind === 'ended') return acted;
  if (acted.kind === 'unsaved') return retryUnsaved(acted, round);

  await attempt.state.moveTo('verifying');
  const verified = await verify(attempt, workspace, {
    ...{ ...sources, end: acted.end, round, isLastRound: round >= maxRounds, canAskForTest },
  });
  if (verified.kind === 'test_wanted') {
    steps.canAskForTest = false;
    steps.explanation = verified.explanation;
  }
  if (verified.kind !== 'change') return sendBack(steps, round, verified);

  const explained = { ...verified.change, summary: addSummary(steps.explanation, verified.change.summary) };

  // A draft ends the operation: the agent has no rounds or no budget left to improve it.
  const isFinal = explained.shortfall !== undefined;
  const isReviewed = !isFinal && attempt.claim.operation.request.review !== false;
  const review = isReviewed ? await reviewer.review(explained, round) : undefined;
  if (review?.sentBack) {
    const userMessage = describeFindings(review.findings);
    return sendBack(steps, round, { summary: 'The review has blocking findings.', userMessage });
  }

  const change = { ...explained, ...(review && { review }) };
  const drafted = await draftProposal(attempt, workspace, change, revision);
  if (drafted.kind === 'ended') return drafted;
  if (drafted.kind === 'secrets') return removeSecrets(steps, drafted, { isFinal, round });

  if (!(await attempt.state.startProposing({ canStillAct: !isFinal }))) {
    await attempt.state.moveTo('acting', 'New messages arrived.');
    return { kind: 'sent_back', userMessage: undefined, nextRound: round };
  }
  const draft = drafted.kind === 'draft' ? drafted : undefined;
  return { kind: 'ready', change, draft, sources, revision };
}

/** The first answer explains the change; the second, to the question for a test, often speaks of the test only. */
function addSummary(first: string | undefined, last: string): string {
  return first === undefined || first === last ? last : [first, last].filter(Boolean).join('\n\n');
}

async function sendBack(
  { attempt }: Steps,
  round: number,
  { summary, userMessage }: { summary: string; userMessage: string },
): Promise<RoundResult> {
  await attempt.state.moveTo('acting', summary);
  return { kind: 'sent_back', userMessage, nextRound: round + 1 };
}

function retryUnsaved({ end, problem }: Extract<Acted, { kind: 'unsaved' }>, round: number): RoundResult {
  if (end.kind === 'stopped' || round >= maxRounds)
    return { kind: 'ended', outcome: failed('too_many_changes', problem) };
  return { kind: 'sent_back', userMessage: problem, nextRound: round + 1 };
}

async function removeSecrets(
  steps: Steps,
  { findings, outcome }: Extract<Drafted, { kind: 'secrets' }>,
  { isFinal, round }: { isFinal: boolean; round: number },
): Promise<RoundResult> {
  if (isFinal || round >= maxRounds) return { kind: 'ended', outcome };
  const userMessage = describeForModel(findings);
  return sendBack(steps, round, { summary: 'The change contains secrets.', userMessage });
}
