import { requestPrompt } from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import { createAct } from './act/act.ts';
import { recordInterrupted } from './act/create-turns.ts';
import { type MadePlan, makePlan } from './act/make-plan.ts';
import { noticePrice } from './act/notice-price.ts';
import { createCommonOptions } from './act/turn-options.ts';
import type { Work } from './attempt/attempt.ts';
import { type Earlier, readEarlier } from './attempt/read-earlier.ts';
import { prepare } from './prepare/prepare.ts';
import type { Workspace } from './prepare/workspace.ts';
import { draftProposal } from './propose/draft-proposal.ts';
import { deliver } from './propose/propose.ts';
import { propose } from './propose/prove-commit.ts';
import { describeForModel } from './secrets/describe-secrets.ts';
import { findSecretsAgain } from './secrets/masking/find-secrets-again.ts';
import { createBaseChecks } from './verify/base-checks.ts';
import { createReviewer, describeFindings } from './verify/review.ts';
import { maxRounds, verify } from './verify/verify.ts';

/** One attempt at an operation, from a claim to its outcome: prepare, act, verify, propose. Or to a plan, where one is asked for. */
export async function runOperation(work: Work): Promise<Outcome | MadePlan> {
  const earlier = await readEarlier(work);
  if (earlier?.proposal && earlier.base) {
    const { base, proposal, isOpened } = earlier;
    return deliver(work, base, proposal, { isOpened });
  }
  if (earlier?.plan.made) {
    await recordInterrupted(work, earlier);
    return { kind: 'plan', plan: earlier.plan.made };
  }
  const { planApproval } = work.claim.operation.request;
  const proceed = planApproval && !earlier?.plan.isApproved ? makePlan : workOn;
  const prepared = await prepare(work, earlier);
  if (!prepared.ok) return prepared.outcome;
  try {
    if (earlier) await findSecretsAgain(work, prepared.workspace, earlier);
    return await proceed(work, prepared.workspace, earlier);
  } finally {
    await prepared.workspace.close();
  }
}

async function workOn(work: Work, workspace: Workspace, earlier: Earlier | undefined): Promise<Outcome> {
  const { baseBranch, config, instructions } = workspace;
  const { commands } = config;
  const { request } = work.claim.operation;
  const common = createCommonOptions(work, workspace, earlier);
  const act = createAct(work, common, workspace, earlier);
  const base = createBaseChecks(work, workspace, earlier?.baseChecks);
  const reviewer = createReviewer(work, { common, workspace, earlier });
  let told: string | undefined = requestPrompt(request, { baseBranch, commands, instructions });
  await work.moveTo('acting');
  if (!earlier) await noticePrice(work);
  for (let round = earlier?.round || 1; ; ) {
    const acted = await act(told, round);
    if (acted.kind === 'ended') return acted.outcome;
    if (acted.kind === 'unsaved') {
      const last = acted.end.kind === 'stopped' || round >= maxRounds;
      if (last) return { kind: 'failure', reason: 'too_many_changes', message: acted.problem };
      told = acted.problem;
      round += 1;
      continue;
    }
    await work.moveTo('verifying');
    const verified = await verify(work, workspace, base, { end: acted.end, round });
    if (verified.kind === 'change') {
      const isLast = verified.shortfall !== undefined;
      const reviewed =
        isLast || request.review === false ? undefined : await reviewer.review(verified, round);
      if (reviewed?.sentBack) {
        await work.moveTo('acting', 'The review found what must not stay.');
        told = describeFindings(reviewed.findings);
        round += 1;
        continue;
      }
      const change = reviewed === undefined ? verified : { ...verified, review: reviewed };
      const drafted = await draftProposal(work, workspace, change);
      if (drafted.kind === 'ended') return drafted.outcome;
      if (drafted.kind === 'secrets') {
        if (isLast || round >= maxRounds) return drafted.outcome;
        await work.moveTo('acting', 'The change has secrets in it.');
        told = describeForModel(drafted.findings);
        round += 1;
        continue;
      }
      const draft = drafted.kind === 'draft' ? drafted : undefined;
      // Whoever has to stop cannot hear anybody any more.
      if (isLast) await work.moveTo('proposing');
      if (isLast || (await work.startProposing())) return propose(work, workspace, { base, change, draft });
      await work.moveTo('acting', 'Somebody said something meanwhile.');
      told = undefined;
      continue;
    }
    await work.moveTo('acting', `${verified.failed} failed`);
    told = verified.told;
    round += 1;
  }
}
