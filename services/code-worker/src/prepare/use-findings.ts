/** Discovered commands are guesses: they are shown in a notice, and those that cannot run in the sandbox are dropped. */
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Discovered, type FoundCommand, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import type { Attempt, OperationRecord, Stop } from '../attempt/attempt.ts';

const probeLimits = { timeoutMs: 30_000, maxOutputBytes: 1_000 };

export async function noticeFindings(
  record: OperationRecord,
  { setup, commands, remarks }: Discovered,
): Promise<void> {
  const named: [string, FoundCommand][] = [
    ...setup.map((found): [string, FoundCommand] => ['setup', found]),
    ...Object.entries(commands),
  ];
  const lines = named.map(([name, { command, source }]) => `  ${name}: ${command} (${source})`);
  const hasChecks = Object.keys(commands).length > 0;
  const head = hasChecks
    ? 'The base branch has no .fettle/config.yml. Commands discovered from the files of the repository:'
    : 'The base branch has no .fettle/config.yml, and no checks were discovered from the files at its root, so this change will not be tested. Run `fettle init` to write a config.';
  const message = [head, ...lines, ...remarks.map((remark) => `  ${remark}`)].join('\n');
  await record.append({ type: 'notice', level: hasChecks ? 'info' : 'warning', code: 'found', message });
}

type Probing = Pick<Attempt, 'record' | 'sandboxes' | 'stop'>;

/** Keeps the set-up commands whose program is in the sandbox and whose registry is configured. */
export async function keepUsableSetup(
  attempt: Probing,
  sandbox: Sandbox,
  found: Discovered,
): Promise<Discovered> {
  const hasRegistry = ({ registry }: { registry: string }) =>
    attempt.sandboxes.registry.names.some((name) => name === registry);
  const absent = found.setup.filter((each) => !hasRegistry(each));
  const runnable = await keepRunnable(attempt.stop, sandbox, found.setup.filter(hasRegistry));
  await warn(attempt.record, [
    ...absent.map(
      ({ command, registry }) => `${command}: FETTLE_REGISTRIES has no registry named ${registry}`,
    ),
    ...runnable.missing.map(describeMissing),
  ]);
  return { ...found, setup: runnable.kept };
}

/** Keeps the checks whose program is in the sandbox after set-up. */
export async function keepUsableChecks(
  attempt: Probing,
  sandbox: Sandbox,
  found: Discovered,
): Promise<RepositoryConfig['commands']> {
  const { kept, missing } = await keepRunnable(attempt.stop, sandbox, Object.values(found.commands));
  await warn(attempt.record, missing.map(describeMissing));
  const usable = Object.entries(found.commands).filter(([, command]) => kept.includes(command));
  return toCommands({ ...found, commands: Object.fromEntries(usable) }).commands;
}

async function keepRunnable<T extends FoundCommand>({ signal }: Stop, sandbox: Sandbox, found: T[]) {
  const runs = new Map<string, boolean>();
  for (const command of new Set(found.map(({ probe }) => probe))) {
    const { exitCode } = await sandbox.run({ command, ...probeLimits, signal });
    signal.throwIfAborted();
    runs.set(command, exitCode === 0);
  }
  return {
    kept: found.filter(({ probe }) => runs.get(probe)),
    missing: found.filter(({ probe }) => !runs.get(probe)),
  };
}

const describeMissing = ({ command, probe }: FoundCommand) =>
  `${command}: not available in the sandbox (${probe} failed)`;

async function warn(record: OperationRecord, reasons: string[]): Promise<void> {
  if (reasons.length === 0) return;
  const message = ['Discovered, but not used:', ...reasons.map((reason) => `  ${reason}`)].join('\n');
  await record.append({ type: 'notice', level: 'warning', code: 'not_usable', message });
}
