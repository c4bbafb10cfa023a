/** Compares failed checks with the base commit. The base is tested only when a check fails, in its own sandbox, and cached. */
import { join } from 'node:path';
import { type Comparison, compareWithBase } from '@fettle/checks';
import type { CheckName, CheckResult } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Attempt } from '../attempt/attempt.ts';
import { allowedScripts } from '../prepare/installing.ts';
import { runSetup, type SetupNeeds } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createCheckCache } from './check-cache.ts';
import { checkOrder, runChecks } from './run-checks.ts';

export interface JudgedCheck extends CheckResult {
  /** For a failed check: which of its failures are new. */
  comparison?: Comparison;
}

export interface BaseChecks {
  judge(checks: CheckResult[], round: number): Promise<JudgedCheck[]>;
}

/** Whether the change caused the failure. */
export const isCausedByChange = ({ ok, comparison }: JudgedCheck) => !ok && comparison?.kind !== 'red before';

/** `recorded` are results from earlier attempts at the operation. */
export function createBaseChecks(
  attempt: SetupNeeds & Pick<Attempt, 'log' | 'secrets'>,
  workspace: Workspace,
  recorded: CheckResult[] = [],
): BaseChecks {
  const { config, baseCommit } = workspace;
  const cache = createCheckCache(join(attempt.config.home, 'base-checks'));
  const known = new Map<CheckName, CheckResult>(recorded.map((check) => [check.name, check]));
  let isSetupBroken = false;

  /** Everything that the result depends on, including the commands that ran before in the same sandbox. */
  const keyOf = (name: CheckName) => ({
    commit: baseCommit,
    setup: config.setup,
    scripts: allowedScripts(attempt, config),
    commands: commandsUpTo([name], config.commands),
    reports: config.reports,
    sandbox: workspace.sandbox.backend,
    seconds: attempt.config.toolLimits.commandSeconds,
  });

  /** Not an error of the attempt: the check can run again. */
  const ignoreCacheError = (error: unknown): undefined => {
    attempt.log.warn({ error: String(error) }, 'cannot cache the results of checks');
  };

  async function readCached(names: CheckName[], round: number): Promise<void> {
    for (const name of names) {
      const check = await cache.read(keyOf(name)).catch(ignoreCacheError);
      if (check === undefined) continue;
      await attempt.record.append({ type: 'check.finished', phase: 'base', round, remembered: true, check });
      known.set(name, check);
    }
  }

  async function measure(names: CheckName[], round: number): Promise<void> {
    const sandbox = await workspace.openFresh(baseCommit);
    try {
      isSetupBroken = (await runSetup(attempt, sandbox, config)) !== undefined;
      if (isSetupBroken) return;
      const { reports } = config;
      const commands = commandsUpTo(names, config.commands);
      for (const check of await runChecks(attempt, {
        sandbox,
        config: { commands, reports },
        phase: 'base',
        round,
      })) {
        known.set(check.name, check);
        // A check that timed out or was killed may pass another time.
        if (!check.timedOut && check.exitCode !== null)
          await cache.write(keyOf(check.name), check).catch(ignoreCacheError);
      }
    } finally {
      workspace.closeSandbox(sandbox);
    }
    crashPoint('base-measured');
  }

  return {
    async judge(checks, round) {
      const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
      const unknown = () => failed.filter((name) => !known.has(name));
      await readCached(unknown(), round);
      if (unknown().length > 0 && !isSetupBroken) await measure(unknown(), round);
      return checks.map((check) =>
        check.ok ? check : { ...check, comparison: compareWithBase(check, known.get(check.name)) },
      );
    },
  };
}

/** The commands in order, up to the last of `names`. */
function commandsUpTo(
  names: CheckName[],
  commands: Workspace['config']['commands'],
): Workspace['config']['commands'] {
  const last = checkOrder.findLastIndex((name) => names.includes(name));
  const wanted = checkOrder.slice(0, last + 1);
  return Object.fromEntries(
    wanted.flatMap((name) => (commands[name] === undefined ? [] : [[name, commands[name]]])),
  );
}
