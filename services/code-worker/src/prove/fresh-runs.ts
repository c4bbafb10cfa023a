/** Runs every check of a commit in a fresh sandbox, where leftovers of the agent have no influence. */
import { resolveTree } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { repeatSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { type RanCheck, runChecks } from '../verify/run-checks.ts';

export type FreshRun = { ok: true; checks: RanCheck[] } | { ok: false; message: string };

export interface FreshRuns {
  /** Runs once for each tree: the commit that is pushed usually has the tree of the last checkpoint. */
  run(commit: string, round: number): Promise<FreshRun>;
}

type Needs = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'>;

export function createFreshRuns(attempt: Needs, workspace: Workspace): FreshRuns {
  const known = new Map<string, FreshRun>();
  return {
    async run(commit, round) {
      const tree = await resolveTree(workspace.mirror, commit);
      const result = known.get(tree) ?? (await runFresh(attempt, workspace, { commit, round }));
      known.set(tree, result);
      return result;
    },
  };
}

async function runFresh(
  attempt: Needs,
  workspace: Workspace,
  { commit, round }: { commit: string; round: number },
): Promise<FreshRun> {
  const { config, durations, withheld } = workspace;
  const sandbox = await workspace.openFresh(commit);
  try {
    const setUp = await repeatSetup(attempt, sandbox, workspace);
    if (!setUp.ok) return { ok: false, message: `set-up failed in a fresh sandbox: ${setUp.command}` };
    const { lack } = setUp;
    const checks = await runChecks(attempt, {
      sandbox,
      config,
      withheld,
      phase: 'fresh',
      round,
      durations,
      lack,
    });
    return { ok: true, checks };
  } finally {
    workspace.closeSandbox(sandbox);
  }
}
