import type { CheckName, CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import type { Sandbox } from '@fettle/sandbox';
import type { Work } from './work.ts';

const keptOutput = 8_000;
/** The quick and telling ones first; all are run, so that the model hears of everything at once. */
const order = ['typecheck', 'lint', 'format', 'test', 'build'] as const;

export async function runChecks(
  work: Work,
  {
    sandbox,
    commands,
    phase,
    round,
  }: { sandbox: Sandbox; commands: RepositoryConfig['commands']; phase: 'verify' | 'fresh'; round: number },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of order) {
    const command = commands[name];
    if (command === undefined) continue;
    work.yieldIfAsked();
    const check = await runCheck(work, sandbox, { name, command });
    await work.record({ type: 'check.finished', phase, round, check });
    results.push(check);
  }
  return results;
}

/** One command of the repository, as a check. */
export async function runCheck(
  { config, signal }: Work,
  sandbox: Sandbox,
  { name, command, env = {} }: { name: CheckName; command: string; env?: Record<string, string> },
): Promise<CheckResult> {
  const { toolLimits } = config;
  const result = await sandbox.run({
    command,
    env,
    timeoutMs: toolLimits.commandSeconds * 1000,
    maxOutputBytes: toolLimits.commandOutputBytes,
    signal,
  });
  signal.throwIfAborted();
  return {
    name,
    command,
    ok: result.exitCode === 0 && !result.timedOut,
    exitCode: result.exitCode,
    timedOut: result.timedOut,
    durationMs: result.durationMs,
    output: result.output.slice(-keptOutput),
  };
}
