/** Runs the set-up commands in a new sandbox, and records them. */
import {
  describeFailedSetup,
  runSetupCommands,
  type SetupHooks,
  type SetupLack,
  type SetupRun,
} from '@fettle/check-run';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { Sandbox } from '@fettle/sandbox';
import { judgeSetup } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { toCheckResult } from '../verify/run-checks.ts';
import { allowedScripts, installLimits } from './installing.ts';
import type { Workspace } from './workspace.ts';

export type SetupNeeds = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'stop'>;

/** Runs the commands in order, and returns the first that failed or was refused. */
export async function runSetup(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
  outdated: Pick<SetupHooks, 'ifOutdated' | 'onOutdated'> = {},
): Promise<SetupRun | undefined> {
  const { registry } = attempt.sandboxes;
  const place = {
    sandbox,
    registry,
    scripts: allowedScripts(attempt, config),
    limits: installLimits(attempt),
  };
  return runSetupCommands(place, config.setup, {
    judge: (command) => judgeSetup(attempt, config, command),
    ...outdated,
    beforeEach: attempt.stop.yieldIfAsked,
    async onRun(run) {
      await attempt.record.append({ type: 'check.finished', phase: 'setup', round: 1, check: toCheck(run) });
    },
  });
}

export type Repeated = { ok: true; lack: SetupLack | undefined } | { ok: false; command: string };

/**
 * Sets up a further sandbox of an operation. A set-up that was discovered and failed in the agent's sandbox may fail here
 * too: the checks run nevertheless, without what it would have installed.
 */
export async function repeatSetup(
  attempt: SetupNeeds & Pick<Attempt, 'secrets'>,
  sandbox: Sandbox,
  {
    config,
    setupLack,
    withheld,
    problems,
  }: Pick<Workspace, 'config' | 'setupLack' | 'withheld' | 'problems'>,
): Promise<Repeated> {
  const failed = await runSetup(attempt, sandbox, config);
  if (failed && setupLack === undefined) return { ok: false, command: failed.command };
  if (failed)
    return { ok: true, lack: maskLack(attempt, describeFailedSetup(failed, { withheld, problems })) };
  return { ok: true, lack: config.setup.length === 0 ? setupLack : undefined };
}

/** The output of package managers can contain secrets, and the reason reaches the model. */
export const maskLack = ({ secrets }: Pick<Attempt, 'secrets'>, lack: SetupLack): SetupLack => ({
  ...lack,
  reason: secrets.masking.mask(lack.reason),
});

/** A refusal is recorded like a failed command, although nothing ran. */
export function toCheck(run: SetupRun): CheckResult {
  if (run.result) return toCheckResult('setup', run.command, run.result);
  const how = { status: 'failed' as const, exitCode: null, timedOut: false, durationMs: 0 };
  return { name: 'setup', command: run.command, ...how, output: run.refusal };
}
