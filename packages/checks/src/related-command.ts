/** Builds the command that runs only the tests related to the files of a change. */
import { findRunner, quote, withLocalPrograms, withoutPaths } from './narrow-command.ts';
import type { PartialRunner } from './partial-runners.ts';
import { isRunnable, isRunnerConfig, isTestFile } from './test-files.ts';

const maxPaths = 50;

/** Files that every test may depend on. */
const shared =
  /(?:^|\/)(?:package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|go\.(?:mod|sum|work)|conftest\.py|requirements[^/]*\.txt|uv\.lock|poetry\.lock|Gemfile(?:\.lock)?|Cargo\.(?:toml|lock)|spec_helper\.rb|test_helper\.rb)$/;
const code = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rb|php)$/;

/**
 * Undefined if the tool cannot tell which tests are related, if none is, or if a changed file may matter to all of
 * them. `scripts` are those of the manifest at the root, and `files` are all files of the repository with the change.
 */
export function relatedCommand(
  command: string,
  scripts: Record<string, unknown>,
  changedPaths: readonly string[],
  files: readonly string[],
): string | undefined {
  const { segment, isPlain, runner } = findRunner(command, scripts);
  if (!isPlain || runner?.paths === undefined || !testTools.has(runner.tool)) return undefined;
  if (changedPaths.some((path) => shared.test(path) || isRunnerConfig(path))) return undefined;
  const kept = new Set(files);
  const words = findWords(
    runner,
    segment,
    // Related code of deleted files is found by the whole suite only.
    changedPaths.filter((path) => code.test(path)),
    kept,
  );
  return words === undefined ? undefined : withLocalPrograms(words);
}

/** Linters take paths as well, but they have no tests. */
const testTools = new Set(
  'vitest,jest,mocha,ava,node --test,bun test,deno test,pytest,go test,rspec'.split(','),
);

function findWords(
  runner: PartialRunner,
  segment: string,
  changed: string[],
  files: Set<string>,
): string[] | undefined {
  if (changed.length === 0 || changed.length > maxPaths) return undefined;
  if (changed.some((path) => !files.has(path))) return undefined;
  const bare = withoutFolders(withoutPaths(segment, runner), runner, files);
  if (runner.related !== undefined) {
    const related = bare.replace(
      runner.match,
      (found) => `${/^[\s/]/.exec(found)?.[0] ?? ''}${runner.related}`,
    );
    return [related, ...changed.map(quote)];
  }
  const paths = runner.paths === 'folders' ? toFolders(changed) : toTests(changed, files);
  return paths.length === 0 || paths.length > maxPaths ? undefined : [bare, ...paths.map(quote)];
}

/** Drops folders such as `tests`, which look like any other word. */
function withoutFolders(segment: string, { match }: PartialRunner, files: Set<string>): string {
  const folders = new Set([...files].map((path) => path.split('/', 1)[0]));
  const [found = ''] = match.exec(segment) ?? [];
  const end = segment.indexOf(found) + found.length;
  const rest = segment
    .slice(end)
    .split(' ')
    .filter((word) => word !== '' && !folders.has(word));
  return [segment.slice(0, end), ...rest].join(' ');
}

/** The packages of the changed files of Go. */
function toFolders(changed: string[]): string[] {
  const folders = changed
    .filter((path) => path.endsWith('.go') && !/(?:^|\/)testdata\//.test(path))
    .map((path) => path.replace(/\/?[^/]*$/, ''));
  return [...new Set(folders)].map((folder) => (folder === '' ? '.' : `./${folder}`));
}

/** The changed tests, and the tests in the same language that are named like the changed files. */
function toTests(changed: string[], files: Set<string>): string[] {
  const keyOf = (path: string) => `${nameOf(path)}.${languageOf(path)}`;
  const keys = new Set(changed.filter((path) => !isTestFile(path)).map(keyOf));
  const isWanted = (path: string) => isRunnable(path) && (changed.includes(path) || keys.has(keyOf(path)));
  return [...files].filter(isWanted).toSorted();
}

const languageOf = (path: string) =>
  (path.split('.').at(-1) ?? '').replace(/^(?:[cm]?[jt]sx?|vue|svelte)$/, 'js');

/** `src/parse_url.py`, `tests/test_parse_url.py`: `parse_url`. The code of a package is in its `__init__.py` or `index.js`. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const file = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '');
  const name = /^(?:__init__|index|mod)$/.test(file) ? (parts.at(-2) ?? file) : file;
  return name
    .replace(/^test_/, '')
    .replace(/(?:[._-](?:test|tests|spec))$/, '')
    .replace(/^_+/, '');
}
