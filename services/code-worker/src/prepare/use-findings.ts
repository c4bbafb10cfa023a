/** Discovered commands are guesses: they are shown in a notice, and those that cannot run in the sandbox are dropped. */
import {
  describeMissing,
  explain,
  type FoundConfig,
  keepRunnable,
  keepWithRegistry,
} from '@fettle/check-run';
import { type CheckName, checkNames } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { type Discovered, type FoundCommand, toCommands } from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import type { Attempt, OperationRecord } from '../attempt/attempt.ts';
import type { UnusableCheck } from './workspace.ts';

export async function noticeFindings(
  record: OperationRecord,
  { discovered, hasFile, named: configured }: FoundConfig,
): Promise<void> {
  if (discovered === undefined) return;
  const { setup, commands, remarks } = discovered;
  const named: [string, FoundCommand][] = [
    ...setup.map((found): [string, FoundCommand] => ['setup', found]),
    ...Object.entries(commands),
  ];
  const lines = named.map(([name, { command, source }]) => `  ${name}: ${command} (${source})`);
  if (configured.length > 0 && lines.length === 0) return;
  const hasChecks = Object.keys(commands).length > 0 || configured.includes('commands');
  const lacks = describeLacks(hasFile, configured);
  const head = hasChecks
    ? `${lacks}. Commands discovered from the files of the repository:`
    : `${lacks}, and no checks were discovered from the files at its root, so this change will not be tested. Run \`fettle init\` to write a config.`;
  const message = [head, ...lines, ...remarks.map((remark) => `  ${remark}`)].join('\n');
  await record.append({ type: 'notice', level: hasChecks ? 'info' : 'warning', code: 'found', message });
}

function describeLacks(hasFile: boolean, configured: FoundConfig['named']): string {
  if (!hasFile) return 'The base branch has no .fettle/config.yml';
  const lacks = (['setup', 'commands'] as const).filter((part) => !configured.includes(part));
  return `.fettle/config.yml of the base branch names no ${lacks.join(' and no ')}`;
}

type Probing = Pick<Attempt, 'record' | 'sandboxes' | 'stop'>;

/** Keeps the set-up commands whose program is in the sandbox and whose registry is configured. */
export async function keepUsableSetup(
  attempt: Probing,
  sandbox: Sandbox,
  found: Discovered,
  problems: string[],
): Promise<{ usable: Discovered; unmet: string[] }> {
  const { kept, reasons } = keepWithRegistry(found.setup, attempt.sandboxes.registry.names);
  const runnable = await keepRunnable(sandbox, kept, attempt.stop.signal);
  const missing = runnable.missing.map(describeMissing);
  await warn(attempt.record, [...reasons, ...missing]);
  const unmet = [...reasons, ...missing, ...(missing.length > 0 ? problems : [])];
  return { usable: { ...found, setup: runnable.kept }, unmet };
}

/** Keeps the checks whose program is in the sandbox after set-up. `problems` are what the tools of the repository lack. */
export async function keepUsableChecks(
  attempt: Probing,
  sandbox: Sandbox,
  found: Discovered,
  problems: string[],
): Promise<{ commands: RepositoryConfig['commands']; unusable: UnusableCheck[] }> {
  const all = Object.values(found.commands);
  const { kept, missing } = await keepRunnable(sandbox, all, attempt.stop.signal);
  await warn(attempt.record, missing.map(describeMissing));
  const usable = Object.entries(found.commands).filter(([, command]) => kept.includes(command));
  const { commands } = toCommands({ ...found, commands: Object.fromEntries(usable) });
  const unusable = checkNames.flatMap((name) => {
    const check = (found.commands as Partial<Record<CheckName, FoundCommand>>)[name];
    return check && missing.includes(check) ? [toUnusable(name, check, problems)] : [];
  });
  return { commands, unusable };
}

function toUnusable(name: CheckName, check: FoundCommand, problems: string[]): UnusableCheck {
  const message = explain(describeMissing(check), problems);
  return { name, command: check.command, obstacle: { code: 'missing_program', message } };
}

export async function warn(record: OperationRecord, reasons: string[]): Promise<void> {
  if (reasons.length === 0) return;
  const message = ['Discovered, but not used:', ...reasons.map((reason) => `  ${reason}`)].join('\n');
  await record.append({ type: 'notice', level: 'warning', code: 'not_usable', message });
}
