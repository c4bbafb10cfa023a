/** Runs the set-up commands in a new sandbox. Package managers can reach a registry only while these commands run. */
import type { CommandVerdict } from '@fettle/policy';
import {
  describeTraffic,
  findPackageManager,
  type InstallPlace,
  isIntegrityFailure,
  LockfilesRefused,
  runAllowedScripts,
  type WindowContext,
  withInstallWindow,
} from '@fettle/registry';
import type { RunResult } from '@fettle/sandbox';
import { describeRefusal } from './judge-setup.ts';
import { isLockfileOutdated } from './lockfile-outdated.ts';

/** A command that ran, or one that was refused. */
export type SetupRun =
  | { command: string; result: RunResult }
  | { command: string; result?: undefined; refusal: string };

export interface SetupHooks {
  judge(command: string): CommandVerdict;
  beforeEach?(): void;
  onRun(run: SetupRun): Promise<void>;
  /** What to run in the place of a command whose lockfile does not match the manifest any more. */
  ifOutdated?: ReadonlyMap<string, string>;
  onOutdated?(command: string, instead: string): void;
}

/** Runs the commands in order, and returns the first that failed. */
export async function runSetupCommands(
  place: InstallPlace,
  commands: string[],
  hooks: SetupHooks,
): Promise<SetupRun | undefined> {
  if (commands.length === 0) return undefined;
  try {
    const { value: failed, traffic } = await withInstallWindow(place.sandbox, place.registry, (window) =>
      runInWindow({ place, hooks, window }, commands),
    );
    if (failed?.result === undefined || traffic.failed.length === 0) return failed;
    const output = `${failed.result.output}\n${describeTraffic(traffic)}`;
    return { ...failed, result: { ...failed.result, output } };
  } catch (error) {
    if (!(error instanceof LockfilesRefused)) throw error;
    const refusal = `Packages cannot be installed: ${error.message}.`;
    return report(hooks, { command: commands.join(' && '), refusal });
  }
}

interface Context {
  place: InstallPlace;
  hooks: SetupHooks;
  window: WindowContext;
}

async function runInWindow(context: Context, commands: string[]): Promise<SetupRun | undefined> {
  const { place, hooks } = context;
  let isBuilt = place.scripts.length === 0;
  for (const command of commands) {
    hooks.beforeEach?.();
    const failed = await runWithLockfile(context, command);
    if (failed) return failed;
    if (isBuilt) continue;
    // As soon as packages are installed, because later commands may need what the scripts build.
    const ran = await runScripts(context);
    isBuilt = ran !== undefined;
    if (ran === undefined) continue;
    await report(hooks, ran);
    if (!hasPassed(ran.result)) return ran;
  }
  return undefined;
}

/** Returns the run if it failed. */
async function runWithLockfile(context: Context, command: string): Promise<SetupRun | undefined> {
  const { hooks } = context;
  const failed = await runOne(context, command);
  const instead = hooks.ifOutdated?.get(command);
  if (failed?.result === undefined || instead === undefined) return failed;
  if (!isLockfileOutdated(failed.result)) return failed;
  hooks.onOutdated?.(command, instead);
  return runOne(context, instead);
}

async function runOne({ place, hooks, window }: Context, command: string): Promise<SetupRun | undefined> {
  const { sandbox, limits } = place;
  const verdict = hooks.judge(command);
  if (verdict.decision === 'deny')
    return report(hooks, { command, refusal: describeRefusal(command, verdict) });
  const env = await window.environmentIn(folderOf(command));
  const result = await sandbox.run({ plan: verdict.plan, env, ...limits });
  limits.signal.throwIfAborted();
  const run = await report(hooks, { command, result });
  if (isIntegrityFailure(result)) await window.distrust();
  return hasPassed(result) ? undefined : run;
}

/** A line for a project in a folder begins with `cd folder && …`. */
const folderOf = (command: string) => /^cd ([\w@./-]+) && /.exec(command)?.[1] ?? '';

async function runScripts({ place, window }: Context) {
  const found = await findPackageManager(place.sandbox, '');
  if (!found.ok) return undefined;
  const environment = await window.environmentIn('');
  return runAllowedScripts(place, { ...found, folder: '', environment });
}

const hasPassed = ({ exitCode, timedOut }: RunResult) => exitCode === 0 && !timedOut;

async function report<T extends SetupRun>(hooks: SetupHooks, run: T): Promise<T> {
  await hooks.onRun(run);
  return run;
}
