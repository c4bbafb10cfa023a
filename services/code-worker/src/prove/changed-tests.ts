/** Splits a change into its tests, with the data that they read, and everything else. */
import { isRunnerConfig, isTestFile } from '@fettle/checks';
import { diffCommits, type FileDiff, grepCommit } from '@fettle/git';
import type { Workspace } from '../prepare/workspace.ts';

export interface ChangedTests {
  /** The tests that the change adds or edits, and their data. */
  written: string[];
  /** Those that it deletes or moves away. */
  gone: string[];
  /** Whether it edits anything else. If not, it fixes no fault of the code. */
  editsSources: boolean;
}

export async function listChangedTests(
  { mirror, diffBase }: Pick<Workspace, 'mirror' | 'diffBase'>,
  commit: string,
): Promise<ChangedTests> {
  const { files } = await diffCommits({ mirror, from: diffBase, to: commit, maxBytes: 0 });
  const isTestSide = await findTestSide(mirror, { commit, files });
  const written = files.flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]));
  const gone = files.flatMap(({ path, oldPath, status }) =>
    status === 'deleted' ? [path] : (oldPath ?? []),
  );
  const tests = written.filter(isTestSide);
  // A file may have made room for a folder of tests.
  const isInTheWay = (path: string) => tests.some((test) => test.startsWith(`${path}/`));
  return {
    written: tests,
    gone: gone.filter((path) => isTestSide(path) || isInTheWay(path)),
    editsSources: ![...written, ...gone].every(isTestSide),
  };
}

const maxSearched = 50;

/** Data outside the usual folders belongs to the tests if code of tests mentions it, and no other code does. */
async function findTestSide(
  mirror: string,
  { commit, files }: { commit: string; files: FileDiff[] },
): Promise<(path: string) => boolean> {
  const data = files.map(({ path }) => path).filter((path) => !isTestFile(path) && isData(path));
  const owned = new Set<string>();
  for (const path of data.slice(0, maxSearched))
    if (await belongsToTests(mirror, commit, path)) owned.add(path);
  return (path) => isTestFile(path) || owned.has(path);
}

async function belongsToTests(mirror: string, commit: string, path: string): Promise<boolean> {
  const [name = '', folder = ''] = path.split('/').toReversed();
  // A program often builds the name of a file, and only the folder is in its text.
  for (const line of [name, folder].filter(Boolean)) {
    const users = (await grepCommit({ mirror, commit, line })).filter((user) => code.test(user));
    if (users.length > 0) return users.every(isTestFile);
  }
  return false;
}

const code =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|php|java|kts?|cs|exs?|c|cc|cpp|h|hpp|swift|scala|sh|bats|lua|pl)$/;
const isData = (path: string) =>
  !code.test(path) && !isRunnerConfig(path) && !/(?:^|\/)package\.json$|[.-]lock\b/.test(path);
