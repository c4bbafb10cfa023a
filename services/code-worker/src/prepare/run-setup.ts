/** Runs the set-up commands in a new sandbox. Package managers can reach a registry only while these commands run. */
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import {
  describeTraffic,
  findPackageManager,
  isIntegrityFailure,
  LockfilesRefused,
  runAllowedScripts,
  type WindowContext,
  withInstallWindow,
} from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import { describeRefusal, judgeSetup } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { runCheck, toCheckResult } from '../verify/run-checks.ts';
import { allowedScripts, installLimits } from './installing.ts';

export type SetupNeeds = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'stop'>;

/** Runs the commands in order, and returns the first that failed. */
export async function runSetup(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
): Promise<CheckResult | undefined> {
  if (config.setup.length === 0) return undefined;
  try {
    const { value: failed, traffic } = await withInstallWindow(
      sandbox,
      attempt.sandboxes.registry,
      (window) => runCommands(attempt, sandbox, config, window),
    );
    if (failed === undefined || traffic.failed.length === 0) return failed;
    return { ...failed, output: `${failed.output}\n${describeTraffic(traffic)}` };
  } catch (error) {
    if (!(error instanceof LockfilesRefused)) throw error;
    const command = config.setup.join(' && ');
    return refuse(attempt, command, `Packages cannot be installed: ${error.message}.`);
  }
}

/** Records a refusal like a failed command, although nothing ran. */
async function refuse(attempt: SetupNeeds, command: string, output: string): Promise<CheckResult> {
  const how = { ok: false, exitCode: null, timedOut: false, durationMs: 0 };
  const check = { name: 'setup' as const, command, ...how, output };
  await attempt.record.append({ type: 'check.finished', phase: 'setup', round: 1, check });
  return check;
}

async function runCommands(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
  { environment: env, distrust }: WindowContext,
): Promise<CheckResult | undefined> {
  const scripts = allowedScripts(attempt, config);
  let isBuilt = scripts.length === 0;
  for (const command of config.setup) {
    attempt.stop.yieldIfAsked();
    const verdict = judgeSetup(attempt, config, command);
    // `findRefusedSetup` has checked this already for the first sandbox; the gate also holds for the other callers.
    if (verdict.decision === 'deny') return refuse(attempt, command, describeRefusal(command, verdict));
    const check = await runCheck(attempt, sandbox, { name: 'setup', command, plan: verdict.plan, env });
    await attempt.record.append({ type: 'check.finished', phase: 'setup', round: 1, check });
    if (isIntegrityFailure(check)) await distrust();
    if (!check.ok) return check;
    if (isBuilt) continue;
    // As soon as packages are installed, because later commands may need what the scripts build.
    const ran = await runScripts(attempt, sandbox, scripts, env);
    isBuilt = ran !== undefined;
    if (ran === undefined) continue;
    await attempt.record.append({ type: 'check.finished', phase: 'setup', round: 1, check: ran });
    if (!ran.ok) return ran;
  }
  return undefined;
}

async function runScripts(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  scripts: string[],
  environment: Record<string, string>,
): Promise<CheckResult | undefined> {
  const found = await findPackageManager(sandbox, '');
  if (!found.ok) return undefined;
  const context = { sandbox, registry: attempt.sandboxes.registry, scripts, limits: installLimits(attempt) };
  const ran = await runAllowedScripts(context, { ...found, folder: '', environment });
  return ran && toCheckResult('setup', ran.command, ran.result);
}
