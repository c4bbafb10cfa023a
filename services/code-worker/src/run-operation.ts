import { requestPrompt } from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import { createAct } from './act.ts';
import { createBaseChecks } from './base-checks.ts';
import { deliver } from './deliver.ts';
import { prepare } from './prepare.ts';
import { propose } from './propose.ts';
import { type Earlier, readEarlier } from './read-earlier.ts';
import { describeFindings, review } from './review.ts';
import { createCommonOptions } from './turn-options.ts';
import { maxRounds, verify } from './verify.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

/** One attempt at an operation, from a claim to its outcome: prepare, act, verify, propose. */
export async function runOperation(work: Work): Promise<Outcome> {
  const earlier = await readEarlier(work);
  if (earlier?.proposal && earlier.base) {
    const { base, proposal, isOpened } = earlier;
    return deliver(work, base, proposal, isOpened);
  }
  const prepared = await prepare(work, earlier);
  if (!prepared.ok) return prepared.outcome;
  try {
    return await workOn(work, prepared.workspace, earlier);
  } finally {
    await prepared.workspace.close();
  }
}

async function workOn(work: Work, workspace: Workspace, earlier: Earlier | undefined): Promise<Outcome> {
  const { baseBranch, config, instructions } = workspace;
  const { commands } = config;
  const common = createCommonOptions(work, workspace, earlier);
  const act = createAct(work, common, workspace, earlier);
  const base = createBaseChecks(work, workspace, earlier?.baseChecks);
  const { review: wantsReview } = work.claim.operation.request;
  let wasSentBack = false;
  let told = requestPrompt(work.claim.operation.request, { baseBranch, commands, instructions });
  await work.moveTo('acting');
  for (let round = earlier?.round || 1; ; round++) {
    const acted = await act(told, round);
    if (acted.kind === 'ended') return acted.outcome;
    if (acted.kind === 'unsaved') {
      const last = acted.end.kind === 'stopped' || round >= maxRounds;
      if (last) return { kind: 'failure', reason: 'too_many_changes', message: acted.problem };
      told = acted.problem;
      continue;
    }
    await work.moveTo('verifying');
    const verified = await verify(work, workspace, base, { end: acted.end, round });
    if (verified.kind === 'change') {
      if (!wantsReview || verified.shortfall) return propose(work, workspace, { base, change: verified });
      wasSentBack ||= earlier?.reviews.some((each) => each.sentBack && each.round < round) ?? false;
      const reviewed = await review(work, verified, { common, workspace, earlier, round, wasSentBack });
      if (!reviewed.sentBack)
        return propose(work, workspace, { base, change: { ...verified, review: reviewed } });
      wasSentBack = true;
      await work.moveTo('acting', 'the review found what must not stay');
      told = describeFindings(reviewed.findings);
      continue;
    }
    await work.moveTo('acting', `${verified.failed} failed`);
    told = verified.told;
  }
}
