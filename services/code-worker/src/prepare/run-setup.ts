/** The commands that make a fresh sandbox ready. Package managers reach a registry while they run, and not later. */
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import {
  describeTraffic,
  findPackageManager,
  LockfilesRefused,
  runAllowedScripts,
  tellsOfWrongBytes,
  type WindowContext,
  withInstallWindow,
} from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import { describeRefusal, judgeSetup } from '../act/command-policy.ts';
import type { Work } from '../attempt/attempt.ts';
import { runCheck } from '../verify/run-checks.ts';
import { allowedScripts, installLimits } from './installing.ts';

/** Runs them in order and gives the first that failed. */
export async function runSetup(
  work: Work,
  sandbox: Sandbox,
  config: RepositoryConfig,
): Promise<CheckResult | undefined> {
  if (config.setup.length === 0) return undefined;
  try {
    const { value: failed, traffic } = await withInstallWindow(sandbox, work.registry, (window) =>
      runCommands(work, sandbox, config, window),
    );
    if (failed === undefined || traffic.notGiven.length === 0) return failed;
    return { ...failed, output: `${failed.output}\n${describeTraffic(traffic)}` };
  } catch (error) {
    if (!(error instanceof LockfilesRefused)) throw error;
    const command = config.setup.join(' && ');
    return refuse(work, command, `Packages cannot be installed: ${error.message}.`);
  }
}

/** What failed is no command of the repository's, and stands on the record beside them. */
async function refuse(work: Work, command: string, output: string): Promise<CheckResult> {
  const how = { ok: false, exitCode: null, timedOut: false, durationMs: 0 };
  const check = { name: 'setup' as const, command, ...how, output };
  await work.record({ type: 'check.finished', phase: 'setup', round: 1, check });
  return check;
}

async function runCommands(
  work: Work,
  sandbox: Sandbox,
  config: RepositoryConfig,
  { environment: env, distrust }: WindowContext,
): Promise<CheckResult | undefined> {
  const scripts = allowedScripts(work, config);
  let built = scripts.length === 0;
  for (const command of config.setup) {
    work.yieldIfAsked();
    const verdict = judgeSetup(work, config, command);
    // Known before anything was started, so that nobody gets here; a gate holds all the same.
    if (verdict.decision === 'deny') return refuse(work, command, describeRefusal(command, verdict));
    const check = await runCheck(work, sandbox, { name: 'setup', command, plan: verdict.plan, env });
    await work.record({ type: 'check.finished', phase: 'setup', round: 1, check });
    if (tellsOfWrongBytes(check)) await distrust();
    if (!check.ok) return check;
    if (built) continue;
    // As soon as packages are there, since the commands that follow may need what the scripts make.
    const ran = await runScripts(work, sandbox, scripts, env);
    built = ran !== undefined;
    if (ran === undefined) continue;
    await work.record({ type: 'check.finished', phase: 'setup', round: 1, check: ran });
    if (!ran.ok) return ran;
  }
  return undefined;
}

async function runScripts(
  work: Work,
  sandbox: Sandbox,
  scripts: string[],
  environment: Record<string, string>,
): Promise<CheckResult | undefined> {
  const found = await findPackageManager(sandbox, '');
  if (!found.ok) return undefined;
  const place = { sandbox, registry: work.registry, scripts, limits: installLimits(work) };
  const ran = await runAllowedScripts(place, { ...found, folder: '', environment });
  if (ran === undefined) return undefined;
  const { command, result } = ran;
  const { exitCode, timedOut, durationMs, output } = result;
  return {
    name: 'setup',
    command,
    ok: exitCode === 0 && !timedOut,
    exitCode,
    timedOut,
    durationMs,
    output: output.slice(-8_000),
  };
}
