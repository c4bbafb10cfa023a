/** Why checks that pass may prove less than they seem to: the change edits a check, or fewer tests run than before. */
import { isRunnerConfig, isTestFile } from '@fettle/checks';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { diffCommits, type FileDiff, readBlobAt } from '@fettle/git';
import type { Workspace } from '../prepare/workspace.ts';
import type { BaseChecks } from '../verify/base-checks.ts';
import { isManifest, parseManifest } from './manifest.ts';
import { findNamedFiles } from './named-files.ts';

const maxManifestBytes = 1_000_000;

export async function findDoubts(
  { mirror, diffBase, config: { commands } }: Pick<Workspace, 'mirror' | 'diffBase' | 'config'>,
  { commit, base, checks }: { commit: string; base: BaseChecks; checks: CheckResult[] },
): Promise<string[]> {
  const { files } = await diffCommits({ mirror, from: diffBase, to: commit, maxBytes: 0 });
  const paths = files.flatMap(listPaths);
  const scripts = await Promise.all(
    paths.filter(isManifest).map(async (path) => {
      const [before, after] = await Promise.all([
        readScripts(mirror, diffBase, path),
        readScripts(mirror, commit, path),
      ]);
      return { path, changed: before !== after };
    }),
  );
  const named = await findNamedFiles(
    { mirror, commit: diffBase },
    {
      commands: Object.values(commands as RepositoryConfig['commands']).filter((text) => text !== undefined),
      paths,
    },
  );
  const edited = [
    ...scripts.filter(({ changed }) => changed).map(({ path }) => path),
    ...paths.filter((path) => isRunnerConfig(path) || named.includes(path)),
  ];
  const doubts = [...new Set(edited)].map(
    (path) => `The change edits ${path}, which decides how checks run.`,
  );
  const gone = files.flatMap(({ path, status }) => (status === 'deleted' && isTestFile(path) ? [path] : []));
  if (gone.length > 0) doubts.push(`The change deletes tests: ${gone.slice(0, 5).join(', ')}.`);
  return [...doubts, ...(await findFewerTests(base, checks))];
}

const listPaths = ({ path, oldPath }: FileDiff) => (oldPath === undefined ? [path] : [oldPath, path]);
/** The part of a manifest that decides how checks run, as text. An invalid manifest counts as a whole. */
async function readScripts(mirror: string, commit: string, path: string): Promise<string> {
  const blob = await readBlobAt(mirror, commit, path, { maxBytes: maxManifestBytes });
  if (blob.kind !== 'blob') return '';
  return JSON.stringify(parseManifest(blob.bytes.toString()));
}

const executed = ({ report }: CheckResult) =>
  report?.passed === undefined ? undefined : report.passed + report.failed;

/** Compared always: a change of any source may end the test process early, with exit code 0. */
async function findFewerTests(base: BaseChecks, checks: CheckResult[]): Promise<string[]> {
  const counted = checks.filter((check) => check.status !== 'could_not_run' && executed(check) !== undefined);
  const before = await base.measureAll(counted);
  return counted.flatMap((check, at) => {
    const base = before[at];
    const known = base && executed(base);
    const count = executed(check);
    if (base === undefined || known === undefined || count === undefined) return [];
    const [skipped, skippedBefore] = [check.report?.skipped ?? 0, base.report?.skipped ?? 0];
    return [
      count < known &&
        `${check.name} executes fewer tests than before the change: ${count} instead of ${known}.`,
      skipped > skippedBefore &&
        `${check.name} skips more tests than before the change: ${skipped} instead of ${skippedBefore}.`,
    ].filter((doubt) => doubt !== false);
  });
}
