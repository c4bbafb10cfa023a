/** Why checks that pass may prove less than they seem to: the change edits a check, or fewer tests run than before. */
import { isRunnerConfig, isTestFile } from '@fettle/checks';
import type { CheckResult } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { diffCommits, type FileDiff, readBlobAt } from '@fettle/git';
import { z } from 'zod';
import type { Workspace } from '../prepare/workspace.ts';
import type { BaseChecks } from '../verify/base-checks.ts';

const maxManifestBytes = 1_000_000;

export async function findDoubts(
  { mirror, baseCommit, config: { commands } }: Pick<Workspace, 'mirror' | 'baseCommit' | 'config'>,
  { commit, base, checks }: { commit: string; base: BaseChecks; checks: CheckResult[] },
): Promise<string[]> {
  const { files } = await diffCommits({ mirror, from: baseCommit, to: commit, maxBytes: 0 });
  const paths = files.flatMap(listPaths);
  const scripts = await Promise.all(
    paths.filter(isManifest).map(async (path) => {
      const [before, after] = await Promise.all([
        readScripts(mirror, baseCommit, path),
        readScripts(mirror, commit, path),
      ]);
      return { path, before, changed: before !== after };
    }),
  );
  const called = [
    ...Object.values(commands as RepositoryConfig['commands']),
    ...scripts.map(({ before }) => before),
  ];
  const edited = [
    ...scripts.filter(({ changed }) => changed).map(({ path }) => path),
    ...paths.filter((path) => isRunnerConfig(path) || called.some((text) => text && runsFile(text, path))),
  ];
  const doubts = [...new Set(edited)].map(
    (path) => `The change edits ${path}, which decides how checks run.`,
  );
  const gone = files.flatMap(({ path, status }) => (status === 'deleted' && isTestFile(path) ? [path] : []));
  if (gone.length > 0) doubts.push(`The change deletes tests: ${gone.slice(0, 5).join(', ')}.`);
  return [...doubts, ...(await findFewerTests(base, checks))];
}

const interpreter = /^(?:node|bun|deno|tsx|ts-node|sh|bash|dash|zsh|python[\d.]*|ruby|php|perl)$/;

/** Whether a command runs the file: as its program, or as the script of an interpreter. Tests are counted instead. */
export function runsFile(text: string, path: string): boolean {
  if (isTestFile(path)) return false;
  const isPath = (word: string | undefined) => word !== undefined && word.replace(/^\.\//, '') === path;
  return text.split(/["'`;|&\n(){}]+/).some((segment) => {
    const words = segment.split(/\s+/).filter((word) => word !== '' && !/^\w+=/.test(word));
    const [program = '', ...rest] = words;
    if (isPath(program)) return true;
    if (!interpreter.test(program.replace(/^.*\//, '')) || rest.includes('--check')) return false;
    return isPath(rest.find((word) => !word.startsWith('-') && word !== 'run'));
  });
}

const listPaths = ({ path, oldPath }: FileDiff) => (oldPath === undefined ? [path] : [oldPath, path]);
const isManifest = (path: string) => /(?:^|\/)package\.json$/.test(path);

const manifestSchema = z.object({ scripts: z.record(z.string(), z.unknown()).optional() });
/** Sections that configure a runner. */
const runnerKeys = [
  'jest',
  'ava',
  'mocha',
  'vitest',
  'tap',
  'xo',
  'eslintConfig',
  'nyc',
  'c8',
  'babel',
  'wireit',
];

/** The part of a manifest that decides how checks run, as text. An invalid manifest counts as a whole. */
async function readScripts(mirror: string, commit: string, path: string): Promise<string> {
  const blob = await readBlobAt(mirror, commit, path, { maxBytes: maxManifestBytes });
  if (blob.kind !== 'blob') return '';
  const text = blob.bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    const { scripts = {} } = manifestSchema.parse(value);
    const sections = runnerKeys.map((key) => (value as Record<string, unknown>)[key]);
    return JSON.stringify([scripts, sections]);
  } catch {
    return text;
  }
}

const executed = ({ report }: CheckResult) =>
  report?.passed === undefined ? undefined : report.passed + report.failed;

/** Compared always: a change of any source may end the test process early, with exit code 0. */
async function findFewerTests(base: BaseChecks, checks: CheckResult[]): Promise<string[]> {
  const counted = checks.filter((check) => check.status !== 'could_not_run' && executed(check) !== undefined);
  const before = await base.measureAll(counted);
  return counted.flatMap((check, at) => {
    const known = before[at] && executed(before[at]);
    const count = executed(check);
    if (known === undefined || count === undefined || count >= known) return [];
    return [`${check.name} executes fewer tests than before the change: ${count} instead of ${known}.`];
  });
}
