import { type ReportFile, readReport } from '@fettle/checks';
import type { CheckName, CheckReport, CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { RunOptions, RunResult, Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';
import { watchReports } from './report-files.ts';

const maxOutput = 8_000;
/** The fast and precise checks come first. All of them run, so that the model sees every problem at once. */
export const checkOrder = ['typecheck', 'lint', 'format', 'test', 'build'] as const;

export async function runChecks(
  attempt: Pick<Attempt, 'config' | 'record' | 'secrets' | 'stop'>,
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
    attempt.stop.yieldIfAsked();
    const readFiles = await watchReports(sandbox, reports);
    const { check, result } = await runCommand(attempt, sandbox, { name, command });
    const report = await readOutput(sandbox, result, await readFiles());
    if (report) check.report = report;
    // Masked before it is cut: half a secret would not be recognised. The report stays unmasked, because it is compared
    // with other reports; it is masked when it is shown.
    check.output = attempt.secrets.masking.mask(result.output).slice(-maxOutput);
    await attempt.record.append({ type: 'check.finished', phase, round, check });
    results.push(check);
  }
  return results;
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

export async function runCheck(
  attempt: Pick<Attempt, 'config' | 'stop'>,
  sandbox: Sandbox,
  command: CheckedCommand,
): Promise<CheckResult> {
  return (await runCommand(attempt, sandbox, command)).check;
}

async function runCommand(
  { config, stop: { signal } }: Pick<Attempt, 'config' | 'stop'>,
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
  return { check: toCheckResult(name, command, result), result };
}

export function toCheckResult(
  name: CheckName,
  command: string,
  { exitCode, timedOut, durationMs, output }: RunResult,
): CheckResult {
  const how = { ok: exitCode === 0 && !timedOut, exitCode, timedOut, durationMs };
  return { name, command, ...how, output: output.slice(-maxOutput) };
}
