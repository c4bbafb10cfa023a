import { alternativesOf, chooseAvailable, describeOutdated, type FoundConfig } from '@fettle/check-run';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Discovered, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import { findRefusedSetup } from '../act/command-policy.ts';
import { type Failure, failure } from '../attempt/ends.ts';
import { runSetup, type SetupNeeds } from './run-setup.ts';
import { keepUsableChecks, keepUsableSetup } from './use-findings.ts';
import type { UnusableCheck } from './workspace.ts';

export type Ready = { ok: true; config: RepositoryConfig; unusable: UnusableCheck[] } | Failure;

/** Sets up a new sandbox, and returns the config with only the commands that can run in it. */
export async function setUp(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  { config, discovered }: FoundConfig,
): Promise<Ready> {
  if (discovered === undefined) return runAll(attempt, sandbox, config);
  // A question runs no commands, so a guessed set-up would be wasted.
  if (attempt.claim.operation.request.kind === 'ask')
    return { ok: true, config: { ...config, setup: [] }, unusable: [] };
  const { usable, unmet } = await keepUsableSetup(attempt, sandbox, discovered);
  const ready = await runAll(attempt, sandbox, { ...config, ...toCommands(usable) }, usable);
  if (!ready.ok) return ready;
  const available = await chooseAvailable(sandbox, usable, attempt.stop.signal);
  const { commands, unusable } = await keepUsableChecks(attempt, sandbox, available, unmet);
  return { ok: true, config: { ...ready.config, commands }, unusable };
}

async function runAll(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
  discovered?: Discovered,
): Promise<Ready> {
  if (config.setup.length === 0) return { ok: true, config, unusable: [] };
  const refused = findRefusedSetup(attempt, config);
  if (refused) return failure('setup_refused', refused);
  const replaced = new Map<string, string>();
  const failed = await runSetup(attempt, sandbox, config, {
    ifOutdated: alternativesOf(discovered),
    onOutdated: (command, instead) => void replaced.set(command, instead),
  });
  if (failed) return failure('setup_failed', describeFailure(failed, discovered));
  // Files that set-up creates exist in every sandbox of this repository and are not part of the change.
  await sandbox.adoptChanges({ signal: attempt.stop.signal });
  if (replaced.size > 0) {
    const message = [...replaced].map(([command, instead]) => describeOutdated(command, instead)).join('\n');
    await attempt.record.append({ type: 'notice', level: 'warning', code: 'not_usable', message });
  }
  // The other sandboxes of this operation do the same at once.
  const setup = config.setup.map((command) => replaced.get(command) ?? command);
  return { ok: true, config: { ...config, setup }, unusable: [] };
}

function describeFailure({ command, exitCode, timedOut, output }: CheckResult, found?: Discovered): string {
  const how = timedOut ? 'timed out' : `exit code ${exitCode}`;
  const source = found?.setup.find((each) => each.command === command)?.source;
  const advice = source
    ? `\nThe command was discovered from ${source}. To use another one, or none, add .fettle/config.yml to the base branch (fettle init).`
    : '';
  return `${command}: ${how}\n${output.slice(-2_000)}${advice}`;
}
