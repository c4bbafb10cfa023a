/** Chooses the checks of a round. Tests that take long run once, in the fresh sandbox, at the end of the last round. */
import { readScriptsOf, relatedCommand } from '@fettle/checks';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { diffCommits, listTree, readBlobAt } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import type { Workspace } from '../prepare/workspace.ts';

export interface ChosenChecks {
  commands: RepositoryConfig['commands'];
  /** Whether all tests have to run in the fresh sandbox before the change counts as verified. */
  isPartial: boolean;
}

/** Whether the tests of the repository usually take longer than the operator wants to wait in each round. */
export function takesLong(
  { config }: Pick<Attempt, 'config'>,
  { config: { commands }, durations }: Pick<Workspace, 'config' | 'durations'>,
): boolean {
  const usual = commands.test === undefined ? undefined : durations.usual(commands.test);
  return usual !== undefined && usual > config.longCheckSeconds;
}

export async function chooseChecks(
  attempt: Pick<Attempt, 'config'>,
  workspace: Pick<Workspace, 'baseCommit' | 'config' | 'durations' | 'head' | 'mirror'>,
): Promise<ChosenChecks> {
  const { commands } = workspace.config;
  if (commands.test === undefined || !takesLong(attempt, workspace)) return { commands, isPartial: false };
  const related = await findRelated(workspace, commands.test);
  const chosen = Object.entries(commands).flatMap(([name, command]) => {
    if (name !== 'test') return [[name, command]];
    return related === undefined ? [] : [[name, related]];
  });
  return { commands: Object.fromEntries(chosen), isPartial: true };
}

/** The command that runs only the tests related to the change, where the test runner supports it. */
async function findRelated(
  { mirror, baseCommit, head }: Pick<Workspace, 'baseCommit' | 'head' | 'mirror'>,
  command: string,
): Promise<string | undefined> {
  const [scripts, diff, tree] = await Promise.all([
    readScriptsAt(mirror, head()),
    diffCommits({ mirror, from: baseCommit, to: head(), maxBytes: 0 }),
    listTree(mirror, head()),
  ]);
  const changed = diff.files.map(({ path }) => path);
  return relatedCommand(
    command,
    scripts,
    changed,
    tree.map(({ path }) => path),
  );
}

const maxManifestBytes = 1_000_000;

/** The scripts of the manifest at the root of a commit. */
export async function readScriptsAt(mirror: string, commit: string): Promise<Record<string, unknown>> {
  const blob = await readBlobAt(mirror, commit, 'package.json', { maxBytes: maxManifestBytes });
  return blob.kind === 'blob' ? readScriptsOf(blob.bytes.toString('utf8')) : {};
}
