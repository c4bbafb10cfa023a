/** Builds the command that runs a part of a check: some files, or the tests whose names match a pattern. */
import { z } from 'zod';
import { type PartialRunner, partialRunners } from './partial-runners.ts';

export interface Part {
  paths: string[];
  pattern?: string | undefined;
}

export type Narrowed = { ok: true; command: string } | { ok: false; reason: string };

const maxScripts = 4;

/** `scripts` are those of the manifest at the root. Only the last command of a chain is run: it is the runner itself. */
export function narrowCommand(command: string, scripts: Record<string, unknown>, part: Part): Narrowed {
  const { segment, isPlain, runner } = findRunner(command, scripts);
  if (!isPlain) return no(`«${command}» is not a plain command`);
  if (runner === undefined) return no(`Fettle does not know how «${segment}» runs a part of its work`);
  if (part.pattern !== undefined && runner.pattern === undefined)
    return no(`${runner.tool} takes no pattern`);
  if (part.paths.length > 0 && runner.paths === undefined) return no(`${runner.tool} takes no paths`);
  const kept = part.paths.length > 0 ? withoutPaths(segment, runner) : segment;
  const words = [kept, ...toPattern(runner, part), ...toPaths(runner, part)];
  return { ok: true, command: withLocalPrograms(words) };
}

/** The same, with the names of all tests that pass in its output. Undefined if the tool cannot do that. */
export function nameTests(
  command: string,
  scripts: Record<string, unknown>,
  paths: string[],
): string | undefined {
  const { runner } = findRunner(command, scripts);
  const narrowed = narrowCommand(command, scripts, { paths });
  if (!narrowed.ok || runner?.names === undefined) return undefined;
  return narrowed.command.replace(runner.match, (found) => `${found} ${runner.names}`);
}

/** Programs of installed packages are found as in a script. */
export const withLocalPrograms = (words: string[]) =>
  `PATH="$PWD/node_modules/.bin:$PATH" ${words.join(' ')}`;

/** The last command of the line and its scripts, and the tool that it starts. */
export function findRunner(
  command: string,
  scripts: Record<string, unknown>,
): { segment: string; isPlain: boolean; runner: PartialRunner | undefined } {
  const segment = lastCommand(resolveScript(command, scripts));
  const isPlain = !/[;|&<>`$()\n\\]/.test(segment);
  return { segment, isPlain, runner: partialRunners.find(({ match }) => match.test(segment)) };
}

const no = (reason: string): Narrowed => ({ ok: false, reason: `${reason}. Use run_command instead.` });

const manifestSchema = z.object({ scripts: z.record(z.string(), z.unknown()).default({}) });

/** The scripts of a package.json. Empty if it cannot be read. */
export function readScriptsOf(manifest: string): Record<string, unknown> {
  try {
    return manifestSchema.parse(JSON.parse(manifest)).scripts;
  } catch {
    return {};
  }
}

/** The command behind `npm test`, `pnpm run lint` and the like. */
function resolveScript(command: string, scripts: Record<string, unknown>): string {
  let text = command.trim();
  for (let depth = 0; depth < maxScripts; depth += 1) {
    const [, name] =
      /^(?:npm|pnpm|yarn|bun)(?: run)?(?: --?[\w-]+)* ([\w:.-]+)$/.exec(lastCommand(text)) ?? [];
    const script = name === undefined ? undefined : scripts[name];
    if (typeof script !== 'string') return text;
    text = script.trim();
  }
  return text;
}

const lastCommand = (text: string) => text.split('&&').at(-1)?.trim() ?? '';

/** Drops the files that the command itself names, so that only the given ones remain. */
export function withoutPaths(segment: string, { match }: PartialRunner): string {
  const [found] = match.exec(segment) ?? [''];
  const end = segment.indexOf(found) + found.length;
  const rest = segment.slice(end).split(/\s+/).filter(Boolean);
  const kept = rest.filter((word) => word.startsWith('-') || !/[./*]/.test(word));
  return [segment.slice(0, end).trim(), ...kept].join(' ');
}

function toPattern({ pattern: flag }: PartialRunner, { pattern }: Part): string[] {
  return pattern === undefined || flag === undefined ? [] : [flag.replace('%', quote(pattern))];
}

function toPaths({ paths: kind }: PartialRunner, { paths }: Part): string[] {
  if (kind !== 'folders') return paths.map(quote);
  const folders = paths.map((path) => (/\.\w+$/.test(path) ? path.replace(/\/?[^/]*$/, '') : path));
  return [...new Set(folders)].map((folder) =>
    quote(folder === '' ? '.' : `./${folder.replace(/^\.\//, '')}`),
  );
}

export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
