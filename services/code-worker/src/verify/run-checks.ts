import { type ReportFile, readReport } from '@fettle/checks';
import type { CheckName, CheckReport, CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RunOptions, RunResult, Sandbox } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';
import { watchReports } from './report-files.ts';

const keptOutput = 8_000;
/** The quick and telling ones first; all are run, so that the model hears of everything at once. */
export const checkOrder = ['typecheck', 'lint', 'format', 'test', 'build'] as const;

export async function runChecks(
  work: Work,
  {
    sandbox,
    config: { commands, reports },
    phase,
    round,
  }: {
    sandbox: Sandbox;
    config: Pick<RepositoryConfig, 'commands' | 'reports'>;
    phase: 'verify' | 'fresh' | 'base';
    round: number;
  },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of checkOrder) {
    const command = commands[name];
    if (command === undefined) continue;
    work.yieldIfAsked();
    const readFiles = await watchReports(sandbox, reports);
    const { check, result } = await runCommand(work, sandbox, { name, command });
    const report = await readOutput(sandbox, result, await readFiles());
    if (report) check.report = report;
    // Half a secret is not known for one. What the report says is compared with other reports, and masked when it is told.
    check.output = work.masking.mask(result.output).slice(-keptOutput);
    await work.record({ type: 'check.finished', phase, round, check });
    results.push(check);
  }
  return results;
}

/** What it found, where the tool is known. */
async function readOutput(
  sandbox: Sandbox,
  { output, exitCode }: RunResult,
  reports: ReportFile[],
): Promise<CheckReport | undefined> {
  // Only failures have places, which are told from the top of the workspace.
  const place = exitCode === 0 ? undefined : await sandbox.run({ command: 'pwd -P', timeoutMs: 30_000 });
  const folder = place?.exitCode === 0 ? place.output.trim() : undefined;
  return readReport({ output, exitCode, reports, folder });
}

interface CheckedCommand {
  name: CheckName;
  command: string;
  /** What was understood of it; without one, a shell gets the command. */
  plan?: RunOptions['plan'];
  env?: Record<string, string>;
}

/** One command of the repository, as a check. */
export async function runCheck(work: Work, sandbox: Sandbox, command: CheckedCommand): Promise<CheckResult> {
  return (await runCommand(work, sandbox, command)).check;
}

async function runCommand(
  { config, signal }: Work,
  sandbox: Sandbox,
  { name, command, plan, env = {} }: CheckedCommand,
): Promise<{ check: CheckResult; result: RunResult }> {
  const { toolLimits } = config;
  const result = await sandbox.run({
    ...(plan ? { plan } : { command }),
    env,
    timeoutMs: toolLimits.commandSeconds * 1000,
    maxOutputBytes: toolLimits.commandOutputBytes,
    signal,
  });
  signal.throwIfAborted();
  const { exitCode, timedOut, durationMs } = result;
  const how = { ok: exitCode === 0 && !timedOut, exitCode, timedOut, durationMs };
  return { check: { name, command, ...how, output: result.output.slice(-keptOutput) }, result };
}
