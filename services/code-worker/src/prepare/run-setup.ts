/** Runs the set-up commands in a new sandbox, and records them. */
import { runSetupCommands, type SetupHooks, type SetupRun } from '@fettle/check-run';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { Sandbox } from '@fettle/sandbox';
import { judgeSetup } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { toCheckResult } from '../verify/run-checks.ts';
import { allowedScripts, installLimits } from './installing.ts';

export type SetupNeeds = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'stop'>;

/** Runs the commands in order, and returns the first that failed. */
export async function runSetup(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
  outdated: Pick<SetupHooks, 'ifOutdated' | 'onOutdated'> = {},
): Promise<CheckResult | undefined> {
  const { registry } = attempt.sandboxes;
  const place = {
    sandbox,
    registry,
    scripts: allowedScripts(attempt, config),
    limits: installLimits(attempt),
  };
  const failed = await runSetupCommands(place, config.setup, {
    judge: (command) => judgeSetup(attempt, config, command),
    ...outdated,
    beforeEach: attempt.stop.yieldIfAsked,
    async onRun(run) {
      await attempt.record.append({ type: 'check.finished', phase: 'setup', round: 1, check: toCheck(run) });
    },
  });
  return failed && toCheck(failed);
}

/** A refusal is recorded like a failed command, although nothing ran. */
function toCheck(run: SetupRun): CheckResult {
  if (run.result) return toCheckResult('setup', run.command, run.result);
  const how = { status: 'failed' as const, exitCode: null, timedOut: false, durationMs: 0 };
  return { name: 'setup', command: run.command, ...how, output: run.refusal };
}
