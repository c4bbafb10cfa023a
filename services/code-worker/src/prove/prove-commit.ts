/** Proves the commit to be pushed. Only checks that ran in a fresh sandbox count. */
import type { Attempt } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { BaseChecks } from '../verify/base-checks.ts';
import { inOrder } from '../verify/run-checks.ts';
import { assessProof, type Proof } from './assess-proof.ts';
import type { FaultEvidenceCollector } from './fault-evidence.ts';
import { findDoubts } from './find-doubts.ts';
import type { FreshRuns } from './fresh-runs.ts';

export interface ProofSources {
  base: BaseChecks;
  evidence: FaultEvidenceCollector;
  fresh: FreshRuns;
}

export async function proveCommit(
  attempt: Pick<Attempt, 'claim'>,
  workspace: Workspace,
  { base, evidence, fresh, commit }: ProofSources & { commit: string },
): Promise<Proof> {
  const { kind } = attempt.claim.operation;
  const unusable = workspace.unusableChecks;
  if (Object.keys(workspace.config.commands).length === 0)
    return assessProof({ kind, checks: [], doubts: [], unusable });
  const ran = await fresh.run(commit, 1);
  if (!ran.ok) return unproven(workspace, ran.message);
  const checks = await base.judge(ran.checks, 1);
  const after = checks.find(({ name }) => name === 'test');
  const fault = await evidence.collect(commit, after);
  const doubts = await findDoubts(workspace, { commit, base, checks });
  const altered = await evidence.listAltered(commit);
  return assessProof({ kind, checks, doubts, fault, altered, unusable });
}

/** The proof of a draft that ends the operation early: its checks are not repeated in a fresh sandbox. */
export function noProof(): Proof {
  return {
    status: 'unproven',
    evidence: { passed: [], redBefore: [], failed: [], couldNotRun: [], doubts: [] },
  };
}

function unproven({ config: { commands } }: Workspace, message: string): Proof {
  const couldNotRun = inOrder(commands).map(([name, command]) => ({
    ...{ name, command },
    obstacle: { code: 'setup_failed' as const, message },
  }));
  const proof = noProof();
  return {
    ...proof,
    evidence: { ...proof.evidence, couldNotRun },
    shortfall: { reason: 'verification_failed', message },
  };
}
