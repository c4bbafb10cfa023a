import { stripVTControlCharacters } from 'node:util';
import {
  describeLack,
  excuseSetup,
  excuseWithheld,
  findHints,
  type SetupLack,
  type WithheldName,
} from '@fettle/check-run';
import { checkEnvironment, classifyRun, type ReportFile, readPassedNames, readReport } from '@fettle/checks';
import type { CheckName, CheckReport, CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RunOptions, RunResult, Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';
import type { CheckDurations } from './check-durations.ts';
import type { RecentChecks } from './recent-checks.ts';
import { watchReports } from './report-files.ts';

const maxOutput = 8_000;
/** In the order of the config. All of them run, so that the model sees every problem at once. */
export const inOrder = (commands: RepositoryConfig['commands']) =>
  Object.entries(commands) as [keyof RepositoryConfig['commands'], string][];

/** A check with the names of its passed tests. They are not on record, because there may be thousands. */
export interface RanCheck extends CheckResult {
  passes?: string[];
}

export async function runChecks(
  attempt: Pick<Attempt, 'config' | 'record' | 'secrets' | 'stop'>,
  {
    sandbox,
    config: { commands, reports },
    withheld,
    phase,
    round,
    recent,
    durations,
    lack,
  }: {
    sandbox: Sandbox;
    config: Pick<RepositoryConfig, 'commands' | 'reports'>;
    /** Files that the sandbox lacks. A check that fails for want of them could not run. */
    withheld: readonly WithheldName[];
    phase: 'verify' | 'fresh' | 'base' | 'evidence';
    round: number;
    /** Results of the same tree that need not be repeated. */
    recent?: RecentChecks;
    /** Remembers how long the commands took. */
    durations?: CheckDurations;
    /** What the set-up of this sandbox did not provide. */
    lack?: SetupLack | undefined;
  },
): Promise<RanCheck[]> {
  const results: RanCheck[] = [];
  for (const [name, command] of inOrder(commands)) {
    attempt.stop.yieldIfAsked();
    const readFiles = await watchReports(sandbox, reports);
    // The agent's own run was not watched for report files.
    const known = reports.length === 0 ? recent?.find(command) : undefined;
    const result = known ?? (await runCommand(attempt, sandbox, { name, command }));
    if (known === undefined) recent?.note(command, result);
    const reportFiles = await readFiles();
    const report = await readOutput(sandbox, result, reportFiles);
    const ran = toCheckResult(name, command, result, report);
    const check = excuseSetup(excuseWithheld(ran, result.output, withheld), lack, report?.passed);
    if (check.status === 'failed') addHints(check, result.output, lack);
    // Masked before it is cut: half a secret would not be recognised. The report stays unmasked, because it is compared
    // with other reports; it is masked when it is shown.
    check.output = attempt.secrets.masking.mask(stripVTControlCharacters(result.output)).slice(-maxOutput);
    await attempt.record.append({
      ...{ type: 'check.finished', phase, round, check },
      ...(known && { remembered: true }),
    });
    if (known === undefined) await durations?.note(check);
    const isTest = name === 'test' && report?.passed !== undefined;
    results.push(isTest ? { ...check, passes: readPassedNames({ ...result, reports: reportFiles }) } : check);
  }
  return results;
}

/** In the words of `fettle check`. */
function addHints(check: CheckResult, output: string, lack: SetupLack | undefined): void {
  const hints = [...(lack ? [`${describeLack(lack)}.`] : []), ...findHints(output)];
  if (hints.length > 0) check.hints = hints;
}

/** Parses the report, if the tool is known. */
async function readOutput(
  sandbox: Sandbox,
  { output, exitCode }: RunResult,
  reports: ReportFile[],
): Promise<CheckReport | undefined> {
  // Only failures have file positions, which are made relative to the workspace.
  const pwd = exitCode === 0 ? undefined : await sandbox.run({ command: 'pwd -P', timeoutMs: 30_000 });
  const folder = pwd?.exitCode === 0 ? pwd.output.trim() : undefined;
  return readReport({ output, exitCode, reports, folder });
}

interface CheckedCommand {
  name: CheckName;
  command: string;
  /** The parsed command. Without one, a shell runs the command. */
  plan?: RunOptions['plan'];
  env?: Record<string, string>;
}

async function runCommand(
  { config, stop: { signal } }: Pick<Attempt, 'config' | 'stop'>,
  sandbox: Sandbox,
  { command, plan, env = {} }: CheckedCommand,
): Promise<RunResult> {
  const { checkSeconds, toolLimits } = config;
  const result = await sandbox.run({
    ...(plan ? { plan } : { command }),
    env: { ...checkEnvironment, ...env },
    timeoutMs: checkSeconds * 1000,
    maxOutputBytes: toolLimits.commandOutputBytes,
    signal,
  });
  signal.throwIfAborted();
  return result;
}

export function toCheckResult(
  name: CheckName,
  command: string,
  result: RunResult,
  report?: CheckReport,
): CheckResult {
  const { exitCode, timedOut, durationMs, output } = result;
  return {
    ...{
      name,
      command,
      ...classifyRun({ name, command, ...result, report }),
      exitCode,
      timedOut,
      durationMs,
    },
    output: output.slice(-maxOutput),
    ...(report && { report }),
  };
}
