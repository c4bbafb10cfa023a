import { requestPrompt } from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import { createAct } from './act.ts';
import { createBaseChecks } from './base-checks.ts';
import { deliver } from './deliver.ts';
import { prepare } from './prepare.ts';
import { propose } from './propose.ts';
import { type Earlier, readEarlier } from './read-earlier.ts';
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
  const { baseBranch, config } = workspace;
  const act = createAct(work, workspace, earlier);
  const base = createBaseChecks(work, workspace, earlier?.baseChecks);
  let told = requestPrompt(work.claim.operation.request, { baseBranch, commands: config.commands });
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
    if (verified.kind === 'change') return propose(work, workspace, { base, change: verified });
    await work.moveTo('acting', `${verified.failed} failed`);
    told = verified.told;
  }
}
