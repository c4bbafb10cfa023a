/** What discovery found is a guess: people see it on record, and what cannot be run here proves nothing. */
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Findings, type FoundCommand, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';

const probeMs = 30_000;

export async function noticeFindings(
  { record }: Work,
  { setup, commands, remarks }: Findings,
): Promise<void> {
  const named: [string, FoundCommand][] = [
    ...setup.map((found): [string, FoundCommand] => ['setup', found]),
    ...Object.entries(commands),
  ];
  const lines = named.map(([name, { command, source }]) => `  ${name}: ${command} (${source})`);
  const hasChecks = Object.keys(commands).length > 0;
  const head = hasChecks
    ? 'There is no .fettle/config.yml on the base branch; by the files of the repository:'
    : 'There is no .fettle/config.yml on the base branch, and no file at the root says how a change is checked: nothing proves this one. `fettle init` writes a config to fill in.';
  const message = [head, ...lines, ...remarks.map((remark) => `  ${remark}`)].join('\n');
  await record({ type: 'notice', level: hasChecks ? 'info' : 'warning', code: 'found', message });
}

/** The commands of set-up that can be run: their program is there, and so is the registry that they fetch from. */
export async function keepUsableSetup(work: Work, sandbox: Sandbox, found: Findings): Promise<Findings> {
  const isOffered = ({ registry }: { registry: string }) =>
    work.registry.names.some((name) => name === registry);
  const absent = found.setup.filter((each) => !isOffered(each));
  const runnable = await keepRunnable(work, sandbox, found.setup.filter(isOffered));
  await warn(work, [
    ...absent.map(({ command, registry }) => `${command}: FETTLE_REGISTRIES does not name ${registry}`),
    ...runnable.missing.map(describeMissing),
  ]);
  return { ...found, setup: runnable.kept };
}

/** The checks whose program is there, after set-up. */
export async function keepUsableChecks(
  work: Work,
  sandbox: Sandbox,
  found: Findings,
): Promise<RepositoryConfig['commands']> {
  const { kept, missing } = await keepRunnable(work, sandbox, Object.values(found.commands));
  await warn(work, missing.map(describeMissing));
  const usable = Object.entries(found.commands).filter(([, command]) => kept.includes(command));
  return toCommands({ ...found, commands: Object.fromEntries(usable) }).commands;
}

async function keepRunnable<T extends FoundCommand>({ signal }: Work, sandbox: Sandbox, found: T[]) {
  const runs = new Map<string, boolean>();
  for (const command of new Set(found.map(({ probe }) => probe))) {
    const { exitCode } = await sandbox.run({ command, timeoutMs: probeMs, maxOutputBytes: 1_000, signal });
    signal.throwIfAborted();
    runs.set(command, exitCode === 0);
  }
  return {
    kept: found.filter(({ probe }) => runs.get(probe)),
    missing: found.filter(({ probe }) => !runs.get(probe)),
  };
}

const describeMissing = ({ command, probe }: FoundCommand) =>
  `${command}: the sandbox cannot run it (${probe} failed)`;

async function warn({ record }: Work, reasons: string[]): Promise<void> {
  if (reasons.length === 0) return;
  const message = ['Found, and not used:', ...reasons.map((reason) => `  ${reason}`)].join('\n');
  await record({ type: 'notice', level: 'warning', code: 'not_usable', message });
}
