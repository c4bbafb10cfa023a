import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Findings, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import { findRefusedSetup } from '../act/command-policy.ts';
import type { Work } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/failure.ts';
import type { Rules } from './read-config.ts';
import { runSetup } from './run-setup.ts';
import { keepUsableChecks, keepUsableSetup } from './use-findings.ts';

export type Ready = { ok: true; config: RepositoryConfig } | Failure;

/** Makes a new sandbox ready, and says by which commands the work goes on. */
export async function setUp(work: Work, sandbox: Sandbox, { config, found }: Rules): Promise<Ready> {
  if (found === undefined) return runAll(work, sandbox, config);
  // A question runs no command, so that nothing is made ready on a guess.
  if (work.claim.operation.request.kind === 'ask') return { ok: true, config: { ...config, setup: [] } };
  const usable = await keepUsableSetup(work, sandbox, found);
  const ready = await runAll(work, sandbox, { ...config, ...toCommands(usable) }, usable);
  if (!ready.ok) return ready;
  return { ok: true, config: { ...ready.config, commands: await keepUsableChecks(work, sandbox, usable) } };
}

async function runAll(
  work: Work,
  sandbox: Sandbox,
  config: RepositoryConfig,
  found?: Findings,
): Promise<Ready> {
  if (config.setup.length === 0) return { ok: true, config };
  const refused = findRefusedSetup(work, config);
  if (refused) return failure('setup_refused', refused);
  const failed = await runSetup(work, sandbox, config);
  if (failed) return failure('setup_failed', describeFailure(failed, found));
  // What set-up leaves behind belongs to every sandbox of this repository, not to this change.
  await sandbox.adoptChanges({ signal: work.signal });
  return { ok: true, config };
}

function describeFailure({ command, exitCode, timedOut, output }: CheckResult, found?: Findings): string {
  const how = timedOut ? 'ran into its time limit' : `exit code ${exitCode}`;
  const source = found?.setup.find((each) => each.command === command)?.source;
  const advice = source
    ? `\nThe command was found by ${source}; a .fettle/config.yml on the base branch (fettle init) can name another, or none.`
    : '';
  return `${command}: ${how}\n${output.slice(-2_000)}${advice}`;
}
