/** Compares checks with the base commit. The base is tested only where needed, in its own sandbox, and cached. */
import { join } from 'node:path';
import { unreadable } from '@fettle/check-run';
import { type Comparison, compareWithBase } from '@fettle/checks';
import type { CheckResult } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Attempt } from '../attempt/attempt.ts';
import { allowedScripts } from '../prepare/installing.ts';
import { repeatSetup, type SetupNeeds } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createCheckCache } from './check-cache.ts';
import { inOrder, type RanCheck, runChecks } from './run-checks.ts';

export interface JudgedCheck extends RanCheck {
  /** Absent if the check passed. */
  comparison?: Comparison;
}

export interface BaseChecks {
  /** Compares each check that did not pass with the same command on the base commit. */
  judge(checks: RanCheck[], round: number): Promise<JudgedCheck[]>;
  /** The result of a check on the base commit; undefined if its set-up fails there. */
  measure(name: keyof Workspace['config']['commands']): Promise<RanCheck | undefined>;
  /** The results of several checks on the base commit, in one sandbox. */
  measureAll(checks: BaseCheck[]): Promise<(CheckResult | undefined)[]>;
}

type BaseCheck = Pick<CheckResult, 'name' | 'command'>;

const nameOf = ({ name, command }: BaseCheck) => `${name}: ${command}`;

/** Whether the change caused the failure, or keeps a check from running that runs on the base. */
export const isCausedByChange = ({ comparison }: JudgedCheck) => comparison?.kind === 'new';

/** `recorded` are results from earlier attempts at the operation, on its base commit. */
export function createBaseChecks(
  attempt: SetupNeeds & Pick<Attempt, 'log' | 'secrets'>,
  workspace: Workspace,
  recorded: CheckResult[] = [],
): BaseChecks {
  const { config, baseCommit, diffBase } = workspace;
  const cache = createCheckCache(join(attempt.config.home, 'base-checks'));
  const known = new Map<string, RanCheck>(
    (diffBase === baseCommit ? recorded : []).map((check) => [nameOf(check), check]),
  );
  let isSetupBroken = false;

  /** Everything that the result depends on, including the commands that ran before in the same sandbox. */
  const keyOf = (check: BaseCheck) => ({
    commit: diffBase,
    setup: config.setup,
    ...(workspace.setupLack && { isSetUp: false }),
    scripts: allowedScripts(attempt, config),
    commands: commandsUpTo([check], config.commands),
    reports: config.reports,
    sandbox: workspace.sandbox.backend,
    seconds: attempt.config.checkSeconds,
  });

  /** Not an error of the attempt: the check can run again. */
  const ignoreCacheError = (error: unknown): undefined => {
    attempt.log.warn({ error: String(error) }, 'cannot cache the results of checks');
  };

  async function readCached(wanted: BaseCheck[], round: number): Promise<void> {
    for (const each of wanted) {
      const check = await cache.read(keyOf(each)).catch(ignoreCacheError);
      if (check === undefined) continue;
      await attempt.record.append({ type: 'check.finished', phase: 'base', round, remembered: true, check });
      known.set(nameOf(check), check);
    }
  }

  async function run(wanted: BaseCheck[], round: number): Promise<void> {
    const sandbox = await workspace.openFresh(diffBase);
    try {
      const setUp = await repeatSetup(attempt, sandbox, workspace);
      isSetupBroken = !setUp.ok;
      if (!setUp.ok) return;
      const { lack } = setUp;
      const isUsual = (lack === undefined) === (workspace.setupLack === undefined);
      const { reports } = config;
      const commands = commandsUpTo(wanted, config.commands);
      for (const ran of await runChecks(attempt, {
        sandbox,
        config: { commands, reports },
        withheld: workspace.withheld,
        phase: 'base',
        round,
        durations: workspace.durations,
        lack,
      })) {
        known.set(nameOf(ran), ran);
        const { passes: _, ...check } = ran;
        // A check that could not run may run another time.
        if (isUsual && check.status !== 'could_not_run')
          await cache.write(keyOf(check), check).catch(ignoreCacheError);
      }
    } finally {
      workspace.closeSandbox(sandbox);
    }
    crashPoint('base-measured');
  }

  async function learn(wanted: BaseCheck[], round: number): Promise<void> {
    const unknown = () => wanted.filter((each) => !known.has(nameOf(each)));
    await readCached(unknown(), round);
    if (unknown().length > 0 && !isSetupBroken) await run(unknown(), round);
  }

  return {
    async judge(checks, round) {
      const notPassed = checks.filter(({ status }) => status !== 'passed');
      await learn(notPassed, round);
      return checks.map((check) =>
        check.status === 'passed' ? check : judgeCheck(check, known.get(nameOf(check))),
      );
    },
    async measure(name) {
      const command = config.commands[name];
      if (command === undefined) return undefined;
      await learn([{ name, command }], 1);
      return known.get(nameOf({ name, command }));
    },
    async measureAll(checks) {
      await learn(checks, 1);
      return checks.map((check) => known.get(nameOf(check)));
    },
  };
}

/** A red check whose failures cannot be compared with those of a red base says nothing about the change. */
function judgeCheck(check: RanCheck, base: CheckResult | undefined): JudgedCheck {
  // Not for want of the set-up: it passes on the base, where set-up fails in the same way.
  if (check.obstacle?.code === 'setup_failed' && base?.status === 'passed')
    return judgeCheck({ ...withoutObstacle(check), status: 'failed' }, base);
  const comparison = compareWithBase(check, base);
  if (comparison.kind !== 'not comparable') return { ...check, comparison };
  const obstacle =
    base?.status === 'could_not_run'
      ? {
          ...unreadable,
          message: `It fails, and it could not run before the change: ${base.obstacle?.message ?? ''}`,
        }
      : unreadable;
  return { ...check, status: 'could_not_run', obstacle, comparison };
}

const withoutObstacle = ({ obstacle: _, ...check }: RanCheck): RanCheck => check;

/** The commands in order, up to the last of `checks`, which may be a part of their command. */
function commandsUpTo(
  checks: BaseCheck[],
  commands: Workspace['config']['commands'],
): Workspace['config']['commands'] {
  const own = Object.fromEntries(checks.map(({ name, command }) => [name, command]));
  const all = inOrder({ ...commands, ...own });
  const last = all.findLastIndex(([name]) => Object.hasOwn(own, name));
  return Object.fromEntries(all.slice(0, last + 1));
}
