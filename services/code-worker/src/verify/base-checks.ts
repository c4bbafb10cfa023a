/** What the checks said before the change: found out only when one fails, in a sandbox of its own, and remembered. */
import { join } from 'node:path';
import { type Comparison, compareWithBase } from '@fettle/checks';
import type { CheckName, CheckResult } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Work } from '../attempt/attempt.ts';
import { allowedScripts } from '../prepare/installing.ts';
import { runSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createCheckMemory } from './check-memory.ts';
import { checkOrder, runChecks } from './run-checks.ts';

/** A check, and if it failed, what of that was not there before. */
export interface JudgedCheck extends CheckResult {
  comparison?: Comparison;
}

export interface BaseChecks {
  judge(checks: CheckResult[], round: number): Promise<JudgedCheck[]>;
}

/** Whether the change has to answer for it. */
export const isBlamed = ({ ok, comparison }: JudgedCheck) => !ok && comparison?.kind !== 'red before';

/** `recorded` is what earlier attempts of the operation found out. */
export function createBaseChecks(work: Work, workspace: Workspace, recorded: CheckResult[] = []): BaseChecks {
  const { config, baseCommit } = workspace;
  const memory = createCheckMemory(join(work.config.home, 'base-checks'));
  const known = new Map<CheckName, CheckResult>(recorded.map((check) => [check.name, check]));
  let isUnknowable = false;

  /** Everything that may have led to the result: what ran before it in the same sandbox may have made what it needs. */
  const keyOf = (name: CheckName) => ({
    commit: baseCommit,
    setup: config.setup,
    scripts: allowedScripts(work, config),
    commands: commandsUpTo([name], config.commands),
    reports: config.reports,
    sandbox: workspace.sandbox.backend,
    seconds: work.config.toolLimits.commandSeconds,
  });

  /** No reason to fail: it can be found out again. */
  const noteForgotten = (error: unknown): undefined => {
    work.log.warn({ error: String(error) }, 'results of checks cannot be kept');
  };

  async function recall(names: CheckName[], round: number): Promise<void> {
    for (const name of names) {
      const check = await memory.recall(keyOf(name)).catch(noteForgotten);
      if (check === undefined) continue;
      await work.record({ type: 'check.finished', phase: 'base', round, remembered: true, check });
      known.set(name, check);
    }
  }

  async function measure(names: CheckName[], round: number): Promise<void> {
    const sandbox = await workspace.openFresh(baseCommit);
    try {
      isUnknowable = (await runSetup(work, sandbox, config)) !== undefined;
      if (isUnknowable) return;
      const { reports } = config;
      const commands = commandsUpTo(names, config.commands);
      for (const check of await runChecks(work, {
        sandbox,
        config: { commands, reports },
        phase: 'base',
        round,
      })) {
        known.set(check.name, check);
        // One that took too long or was killed may do better on another day.
        if (!check.timedOut && check.exitCode !== null)
          await memory.keep(keyOf(check.name), check).catch(noteForgotten);
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
      await recall(unknown(), round);
      if (unknown().length > 0 && !isUnknowable) await measure(unknown(), round);
      return checks.map((check) =>
        check.ok ? check : { ...check, comparison: compareWithBase(check, known.get(check.name)) },
      );
    },
  };
}

/** The commands in their order, up to the last of these. */
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
