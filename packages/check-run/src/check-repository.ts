/** Runs set-up and every check of a commit in a fresh sandbox, without a model. */
import { checkEnvironment, classifyRun, readReport } from '@fettle/checks';
import type { CheckName, CheckReport, CheckStatus } from '@fettle/contract';
import { type Discovered, toCommands } from '@fettle/discovery';
import type { Registry } from '@fettle/registry';
import { type RunResult, type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Equipment } from '@fettle/toolchain';
import { chooseAvailable } from './choose-available.ts';
import { describeSetupFailure, findMissingHost, lastLines } from './failure-lines.ts';
import { findHints } from './hints.ts';
import { judgeSetupCommand } from './judge-setup.ts';
import { alternativesOf, describeOutdated } from './lockfile-outdated.ts';
import { describeMissing, keepRunnable, keepWithRegistry } from './probe-commands.ts';
import type { FoundConfig } from './read-config.ts';
import { runSetupCommands } from './run-setup.ts';
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
  { config, discovered }: FoundConfig,
): Promise<CheckedRepository> {
  const chosen = discovered && (await chooseSetup(place, discovered));
  const commands = chosen?.commands ?? config.setup;
  const setup: SetupOutcome =
    commands.length > 0
      ? await runSetup(place, commands, discovered)
      : chosen && chosen.reasons.length > 0
        ? { status: 'could_not_run', durationMs: 0, reason: chosen.reasons.join('; ') }
        : { status: 'none', durationMs: 0 };
  const checks: CheckOutcome[] = [];
  const available = discovered && (await chooseAvailable(place.sandbox, discovered, place.limits.signal));
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
            reason: explain(place, describeMissing(missing)),
            durationMs: 0,
          }
        : withoutSetup(await runUntilEnd(place, name, command), setup),
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

/** A failure says nothing about the repository if its packages are not there, unless a part of its tests passed. */
function withoutSetup(check: CheckOutcome, { status, reason }: SetupOutcome): CheckOutcome {
  if (check.status !== 'failed' || status === 'passed' || status === 'none') return check;
  const why = status === 'failed' ? 'Set-up failed, so what it needs is missing' : 'Set-up could not run';
  const whole = `${why}: ${reason ?? ''}`;
  if (check.tests && check.tests.passed > 0)
    return { ...check, reason: `${check.reason ?? ''}. ${whole}`.slice(0, 3 * maxReason) };
  return { ...check, status: 'could_not_run', reason: whole.slice(0, 3 * maxReason) };
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
  if (failed.result === undefined)
    return { status: 'could_not_run', command, durationMs, reason: failed.refusal };
  const host = findMissingHost(failed.result.output);
  if (host !== undefined) {
    const what = `It needs packages from ${host}, which a sandbox cannot reach.`;
    const reason = explain(place, `${what} ${describeSetupFailure(failed.result.output)}`);
    return { status: 'could_not_run', command: failed.command, durationMs, reason };
  }
  const classified = classifyRun({ name: 'setup', ...failed.result });
  const { status, obstacle } = excuseWithheld(classified, failed.result.output, place.withheld);
  const reason = explain(place, obstacle?.message ?? describeSetupFailure(failed.result.output));
  return { status, command: failed.command, durationMs, reason };
}

/** A check that exceeds a limit of the sandbox ends the sandbox. The others are still reported. */
async function runUntilEnd(place: CheckPlace, name: CheckName, command: string): Promise<CheckOutcome> {
  const startedAt = performance.now();
  try {
    return await runOne(place, name, command);
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

async function runOne(place: CheckPlace, name: CheckName, command: string): Promise<CheckOutcome> {
  place.onProgress(`${name}: ${command}`);
  const result = await place.sandbox.run({ command, env: checkEnvironment, ...place.limits });
  place.limits.signal.throwIfAborted();
  const folder = result.exitCode === 0 ? undefined : await findFolder(place.sandbox);
  const report = readReport({ ...result, reports: [], folder });
  const classified = classifyRun({ name, ...result, report });
  const { status, obstacle } = excuseWithheld(classified, result.output, place.withheld);
  const reason = obstacle?.message ?? (status === 'failed' ? describeFailures(result, report) : undefined);
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

function describeFailures({ exitCode, output }: RunResult, report: CheckReport | undefined): string {
  const failures = report?.failures.map(describeFailure).slice(0, maxListed) ?? [];
  const what =
    failures.length > 0 ? failures.join('; ') : `exit code ${exitCode}: ${lastLines(output, maxReason)}`;
  const hints = findHints(output);
  return [...hints, what.slice(0, 2 * maxReason)].join(' ');
}

const maxListed = 5;
const describeFailure = ({ file, line, name, message }: CheckReport['failures'][number]) => {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;
  return `${place}${name ?? message.split('\n', 1)[0]}`.trim().slice(0, 300);
};

const explain = ({ problems }: CheckPlace, reason: string) =>
  [reason, ...problems].join('; ').slice(0, 3 * maxReason);
