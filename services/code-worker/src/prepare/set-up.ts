import {
  alternativesOf,
  chooseAvailable,
  describeFailedSetup,
  describeOutdated,
  type FoundConfig,
  type SetupLack,
  type SetupRun,
  type WithheldName,
} from '@fettle/check-run';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Discovered, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import { findRefusedSetup } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { type Failure, failure } from '../attempt/ends.ts';
import { maskLack, runSetup, type SetupNeeds, toCheck } from './run-setup.ts';
import { keepUsableChecks, keepUsableSetup, warn } from './use-findings.ts';
import type { UnusableCheck } from './workspace.ts';

type Needs = SetupNeeds & Pick<Attempt, 'secrets'>;

export type Ready =
  | {
      ok: true;
      config: RepositoryConfig;
      unusable: UnusableCheck[];
      /** Why a discovered set-up did not pass. */
      lack?: SetupLack | undefined;
    }
  | Failure;

interface SetupInput extends FoundConfig {
  withheld: WithheldName[];
  problems: string[];
}

/** Sets up a new sandbox, and returns the config with only the commands that can run in it. */
export async function setUp(attempt: Needs, sandbox: Sandbox, input: SetupInput): Promise<Ready> {
  const { discovered, named, problems } = input;
  const ready =
    discovered && !named.includes('setup')
      ? await setUpDiscovered(attempt, sandbox, { ...input, discovered })
      : await setUpNamed(attempt, sandbox, input);
  const isQuestion = attempt.claim.operation.request.kind === 'ask';
  if (!ready.ok || isQuestion || discovered === undefined || named.includes('commands')) return ready;
  const available = await chooseAvailable(sandbox, discovered, attempt.stop.signal);
  const { commands, unusable } = await keepUsableChecks(attempt, sandbox, available, problems);
  return { ...ready, config: { ...ready.config, commands }, unusable: [...ready.unusable, ...unusable] };
}

async function setUpNamed(attempt: Needs, sandbox: Sandbox, { config }: SetupInput): Promise<Ready> {
  const refused = findRefusedSetup(attempt, config);
  if (refused) return failure('setup_refused', refused);
  const { failed } = await runAll(attempt, sandbox, config);
  if (failed) return failure('setup_failed', describeFailure(toCheck(failed)));
  return { ok: true, config, unusable: [] };
}

/** Discovered commands are guesses, so a set-up that fails does not end the operation. */
async function setUpDiscovered(
  attempt: Needs,
  sandbox: Sandbox,
  { config, discovered, withheld, problems }: SetupInput & { discovered: Discovered },
): Promise<Ready> {
  // A question runs no commands, so a guessed set-up would be wasted.
  if (attempt.claim.operation.request.kind === 'ask')
    return { ok: true, config: { ...config, setup: [] }, unusable: [] };
  const { usable, unmet } = await keepUsableSetup(attempt, sandbox, discovered, problems);
  const ran = await runAll(attempt, sandbox, { ...config, setup: toCommands(usable).setup }, usable);
  const command = (usable.setup.length > 0 ? usable : discovered).setup
    .map((each) => each.command)
    .join(' && ');
  const lack = findLack(attempt, ran, { unmet, command, surroundings: { withheld, problems } });
  if (ran.failed) await warn(attempt.record, [`${lack?.command}: ${lack?.reason}`]);
  const reason = lack?.reason ?? unmet.join('; ');
  const obstacle = { code: 'setup_failed' as const, message: reason };
  const unusable =
    reason === '' ? [] : [{ name: 'setup' as const, command: lack?.command ?? command, obstacle }];
  return { ok: true, config: ran.config, unusable, lack };
}

function findLack(
  attempt: Pick<Attempt, 'secrets'>,
  { failed, config }: Ran,
  {
    unmet,
    command,
    surroundings,
  }: { unmet: string[]; command: string; surroundings: Pick<SetupInput, 'withheld' | 'problems'> },
): SetupLack | undefined {
  if (failed) return maskLack(attempt, describeFailedSetup(failed, surroundings));
  if (config.setup.length > 0 || unmet.length === 0) return undefined;
  return { status: 'could_not_run', command, reason: unmet.join('; ') };
}

interface Ran {
  /** With the commands that ran. */
  config: RepositoryConfig;
  failed: SetupRun | undefined;
}

async function runAll(
  attempt: SetupNeeds,
  sandbox: Sandbox,
  config: RepositoryConfig,
  discovered?: Discovered,
): Promise<Ran> {
  if (config.setup.length === 0) return { config, failed: undefined };
  const replaced = new Map<string, string>();
  const failed = await runSetup(attempt, sandbox, config, {
    ifOutdated: alternativesOf(discovered),
    onOutdated: (command, instead) => void replaced.set(command, instead),
  });
  // Files that set-up creates exist in every sandbox of this repository and are not part of the change.
  await sandbox.adoptChanges({ signal: attempt.stop.signal });
  if (replaced.size > 0) {
    const message = [...replaced].map(([command, instead]) => describeOutdated(command, instead)).join('\n');
    await attempt.record.append({ type: 'notice', level: 'warning', code: 'not_usable', message });
  }
  // The other sandboxes of this operation do the same at once.
  const setup = config.setup.map((command) => replaced.get(command) ?? command);
  return { config: { ...config, setup }, failed };
}

function describeFailure({ command, exitCode, timedOut, output }: CheckResult): string {
  const how = timedOut ? 'timed out' : `exit code ${exitCode}`;
  return `${command}: ${how}\n${output.slice(-2_000)}`;
}
