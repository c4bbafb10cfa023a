/** Writes the detected set-up and check commands of a repository for a person to review. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { composeConfig, discover, toCommands } from '@fettle/discovery';
import { inspectSource } from '@fettle/git';
import { exitCodes, usageError } from '../../cli-error.ts';
import { askYesNo } from '../../view/ask-yes-no.ts';
import { harmless } from '../../view/harmless.ts';
import { copyable, green, type Line } from '../../view/line.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { openFolderRoot } from './folder-root.ts';
import { writeConfig } from './write-config.ts';

export interface InitOptions {
  force?: boolean;
  print?: boolean;
  json?: boolean;
  /** Undefined: asks on a terminal. */
  check?: boolean;
  color: boolean;
}

export async function writeRepositoryConfig(repository: string, options: InitOptions): Promise<number> {
  if (options.check && (options.json || options.print))
    throw usageError('--check cannot be combined with --json or --print.', 'Run `fettle check` afterwards.');
  const folder = resolve(repository);
  await assertWorkTree(folder, repository);
  const found = await discover(await openFolderRoot(folder));
  const text = composeConfig(found);
  const path = options.print ? undefined : await writeConfig(folder, text, { force: options.force === true });
  const hasChecks = Object.keys(found.commands).length > 0;
  if (options.json) {
    const { setup, commands, remarks } = found;
    const sources = { setup: setup.map(({ source }) => source), commands: sourcesOf(commands) };
    printJson({ path: path ?? null, text, ...toCommands(found), sources, remarks });
  } else if (path === undefined) process.stdout.write(text);
  else openTerminal(process.stdout, options).print(describe(path, text));
  if (!hasChecks && !options.json)
    process.stderr.write(
      'fettle: no check commands were detected, so no change could be verified. Add them to the config.\n',
    );
  if (!(await wantsCheck(options))) return exitCodes.done;
  const { checkRepositoryCommand } = await import('../check/check-repository-command.ts');
  return checkRepositoryCommand({ repo: folder, color: options.color });
}

async function wantsCheck({ check, json, print }: InitOptions): Promise<boolean> {
  if (check !== undefined) return check;
  if (json || print || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  return askYesNo('Run set-up and the checks in a sandbox now (fettle check)?');
}

async function assertWorkTree(folder: string, argument: string): Promise<void> {
  const advice = 'Give the root folder of a clone, for example: fettle init .';
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw usageError(`${argument} is not a folder on this machine.`, advice);
  const { isRepository, isBare } = await inspectSource(folder);
  if (!isRepository) throw usageError(`${argument} is not the root of a git repository.`, advice);
  if (isBare) throw usageError(`${argument} is a bare repository, which has no files to inspect.`, advice);
}

function sourcesOf(commands: Record<string, { source: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(commands).map(([name, { source }]) => [name, source]));
}

function describe(path: string, text: string): Line[] {
  return [
    [green('✓ wrote '), copyable(harmless(path))],
    [],
    ...text
      .trimEnd()
      .split('\n')
      .map((line): Line => [copyable(`  ${line}`)]),
    [],
    [copyable('Review it and commit it to the base branch: Fettle reads it from there.')],
    [copyable('Run `fettle check` to see whether set-up and checks work in a sandbox.')],
  ];
}
