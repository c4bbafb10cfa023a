import type { Outcome } from '@fettle/contract';
import { recordInterrupted } from './act/create-turns.ts';
import { type MadePlan, makePlan } from './act/make-plan.ts';
import type { Attempt } from './attempt/attempt.ts';
import { type Earlier, readEarlier } from './attempt/read-earlier.ts';
import { prepare } from './prepare/prepare.ts';
import { propose, proposeCommitted } from './propose/propose.ts';
import { runRounds } from './verify/rounds.ts';

/** One attempt at an operation, from its claim to its outcome, or to a plan that a person has to approve. */
export async function runOperation(attempt: Attempt): Promise<Outcome | MadePlan> {
  const earlier = await readEarlier(attempt);
  if (earlier) {
    const finished = await finishEarlier(attempt, earlier);
    if (finished) return finished;
  }
  const prepared = await prepare(attempt, earlier);
  if (!prepared.ok) return prepared.outcome;
  const { workspace } = prepared;
  try {
    const { planApproval } = attempt.claim.operation.request;
    if (planApproval && !earlier?.plan.isApproved) return await makePlan(attempt, workspace, earlier);
    const rounds = await runRounds(attempt, workspace, earlier);
    return rounds.kind === 'ended' ? rounds.outcome : await propose(attempt, workspace, rounds);
  } finally {
    await workspace.close();
  }
}

/** An earlier attempt may have ended between its last result and reporting it. */
async function finishEarlier(attempt: Attempt, earlier: Earlier): Promise<Outcome | MadePlan | undefined> {
  const { base, proposal, isOpened, checkpoint, plan, revision } = earlier;
  const parent = revision && (revision.followed ?? revision.proposed.headCommit);
  if (proposal && base) return proposeCommitted(attempt, base, { proposal, isOpened, checkpoint, parent });
  if (!plan.unsubmitted) return undefined;
  await recordInterrupted(attempt.record, earlier);
  return { kind: 'plan', plan: plan.unsubmitted };
}
