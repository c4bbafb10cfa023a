/** Runs set-up and every check of a commit in a fresh sandbox, without a model. */
import { checkEnvironment, classifyRun, readReport } from '@fettle/checks';
import type { CheckName, CheckReport, CheckStatus } from '@fettle/contract';
import { type Discovered, toCommands } from '@fettle/discovery';
import type { Registry } from '@fettle/registry';
import { type RunResult, type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Equipment } from '@fettle/toolchain';
import { chooseAvailable } from './choose-available.ts';
import { lastLines } from './failure-lines.ts';
import { findHints } from './hints.ts';
import { judgeSetupCommand } from './judge-setup.ts';
import { alternativesOf, describeOutdated } from './lockfile-outdated.ts';
import { describeMissing, keepRunnable, keepWithRegistry } from './probe-commands.ts';
import type { FoundConfig } from './read-config.ts';
import { runSetupCommands } from './run-setup.ts';
import { describeFailedSetup, describeLack, excuseSetup, explain, type SetupLack } from './setup-outcome.ts';
import { excuseUnreadable } from './unreadable-failure.ts';
import { excuseWithheld, type WithheldName } from './withheld-cause.ts';

export interface SetupOutcome {
  status: CheckStatus | 'none';
  command?: string;
  durationMs: number;
  reason?: string;
}

export interface CheckOutcome {
  name: CheckName;
  command: string;
  status: CheckStatus;
  /** Why it could not run, or the first failures. */
  reason?: string;
  durationMs: number;
  tests?: { passed: number; failed: number; skipped: number };
}

export interface CheckedRepository {
  setup: SetupOutcome;
  checks: CheckOutcome[];
}

export interface CheckPlace {
  sandbox: Sandbox;
  registry: Registry;
  scripts: string[];
  limits: { timeoutMs: number; maxOutputBytes: number; signal: AbortSignal };
  /** The files that the sandbox lacks. */
  withheld: readonly WithheldName[];
  /** What the tools of the repository lack. */
  problems: Equipment['problems'];
  onProgress(line: string): void;
}

const maxReason = 600;

export async function checkRepository(
  place: CheckPlace,
  { config, discovered, named: configured }: FoundConfig,
): Promise<CheckedRepository> {
  const chosen =
    discovered && !configured.includes('setup') ? await chooseSetup(place, discovered) : undefined;
  const commands = chosen?.commands ?? config.setup;
  const unmet = chosen?.reasons ?? [];
  const setup: SetupOutcome =
    commands.length > 0
      ? withUnmet(await runSetup(place, commands, discovered), unmet)
      : unmet.length > 0
        ? { status: 'could_not_run', durationMs: 0, reason: unmet.join('; ') }
        : { status: 'none', durationMs: 0 };
  const checks: CheckOutcome[] = [];
  const available =
    discovered && !configured.includes('commands')
      ? await chooseAvailable(place.sandbox, discovered, place.limits.signal)
      : undefined;
  const found = available ? available.commands : {};
  const named = available ? toCommands(available).commands : config.commands;
  for (const [name, command] of Object.entries(named) as [keyof typeof named, string][]) {
    const probed = found[name] && (await keepRunnable(place.sandbox, [found[name]], place.limits.signal));
    const [missing] = probed?.missing ?? [];
    checks.push(
      missing
        ? {
            name,
            command,
            status: 'could_not_run',
            reason: explain(describeMissing(missing), place.problems),
            durationMs: 0,
          }
        : await runUntilEnd(place, {
            name,
            command,
            lack: lackOf(setup),
            hasReports: config.reports.length > 0,
          }),
    );
  }
  return { setup, checks };
}

async function chooseSetup({ sandbox, registry, problems, limits }: CheckPlace, { setup }: Discovered) {
  const { kept, reasons } = keepWithRegistry(setup, registry.names);
  const runnable = await keepRunnable(sandbox, kept, limits.signal);
  const missing = runnable.missing.map(describeMissing);
  return {
    commands: runnable.kept.map(({ command }) => command),
    reasons: [...reasons, ...missing, ...(missing.length > 0 ? problems : [])],
  };
}

/** Some commands ran, and others had no registry or program. */
function withUnmet(setup: SetupOutcome, unmet: string[]): SetupOutcome {
  if (unmet.length === 0) return setup;
  return { ...setup, reason: [...(setup.reason ? [setup.reason] : []), ...unmet].join('; ') };
}

function lackOf({ status, command = '', reason = '' }: SetupOutcome): SetupLack | undefined {
  return status === 'failed' || status === 'could_not_run' ? { status, command, reason } : undefined;
}

async function runSetup(
  place: CheckPlace,
  commands: string[],
  discovered: Discovered | undefined,
): Promise<SetupOutcome> {
  const command = commands.join(' && ');
  place.onProgress(`setup: ${command}`);
  const startedAt = performance.now();
  const outdated: string[] = [];
  const failed = await runSetupCommands(place, commands, {
    judge: (line) => judgeSetupCommand(line, []),
    onRun: async () => {},
    ifOutdated: alternativesOf(discovered),
    onOutdated: (line, instead) => void outdated.push(describeOutdated(line, instead)),
  });
  const durationMs = Math.round(performance.now() - startedAt);
  if (failed === undefined) {
    await place.sandbox.adoptChanges({ signal: place.limits.signal });
    const reason = outdated.join('; ');
    return { status: 'passed', command, durationMs, ...(reason !== '' && { reason }) };
  }
  return { ...describeFailedSetup(failed, place), durationMs };
}

interface ChosenCheck {
  name: CheckName;
  command: string;
  /** What set-up did not provide. */
  lack: SetupLack | undefined;
  /** Files, which this run does not read, may name the failures. */
  hasReports: boolean;
}

/** A check that exceeds a limit of the sandbox ends the sandbox. The others are still reported. */
async function runUntilEnd(place: CheckPlace, check: ChosenCheck): Promise<CheckOutcome> {
  const { name, command } = check;
  const startedAt = performance.now();
  try {
    return await runOne(place, check);
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code === 'cancelled') throw error;
    place.limits.signal.throwIfAborted();
    const durationMs = Math.round(performance.now() - startedAt);
    return {
      name,
      command,
      status: 'could_not_run',
      reason: `The sandbox ended: ${error.message}`,
      durationMs,
    };
  }
}

async function runOne(
  place: CheckPlace,
  { name, command, lack, hasReports }: ChosenCheck,
): Promise<CheckOutcome> {
  place.onProgress(`${name}: ${command}`);
  const result = await place.sandbox.run({ command, env: checkEnvironment, ...place.limits });
  place.limits.signal.throwIfAborted();
  const folder = result.exitCode === 0 ? undefined : await findFolder(place.sandbox);
  const report = readReport({ ...result, reports: [], folder });
  const classified = classifyRun({ name, command, ...result, report });
  const excused = excuseWithheld(classified, result.output, place.withheld);
  const judged = excuseSetup(excused, lack, report?.passed);
  const { status, obstacle } = hasReports ? judged : excuseUnreadable(judged, report);
  const failures =
    status === 'failed' || obstacle?.code === 'base_not_read' ? [describeFailures(result, report, lack)] : [];
  const reasons = [...(obstacle ? [obstacle.message] : []), ...failures];
  const reason = reasons.length > 0 ? reasons.join(' ') : undefined;
  const tests = report && countTests(report);
  return {
    ...{ name, command, status, durationMs: Math.round(result.durationMs) },
    ...(reason !== undefined && { reason }),
    ...(tests && { tests }),
  };
}

function countTests({ passed, failed, skipped }: CheckReport) {
  return passed === undefined ? undefined : { passed, failed, skipped: skipped ?? 0 };
}

/** Absolute paths of the sandbox mean nothing to a reader. */
async function findFolder(sandbox: Sandbox): Promise<string | undefined> {
  const { exitCode, output } = await sandbox.run({ command: 'pwd -P', timeoutMs: 30_000 });
  return exitCode === 0 ? output.trim() : undefined;
}

function describeFailures(
  { exitCode, output }: RunResult,
  report: CheckReport | undefined,
  lack: SetupLack | undefined,
): string {
  const failures = report?.failures.map(describeFailure).slice(0, maxListed) ?? [];
  const what =
    failures.length > 0 ? failures.join('; ') : `exit code ${exitCode}: ${lastLines(output, maxReason)}`;
  const hints = [...(lack ? [`${describeLack(lack)}.`] : []), ...findHints(output)];
  return [...hints, what.slice(0, 2 * maxReason)].join(' ');
}

const maxListed = 5;
const describeFailure = ({ file, line, name, message }: CheckReport['failures'][number]) => {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;
  return `${place}${name ?? message.split('\n', 1)[0]}`.trim().slice(0, 300);
};
