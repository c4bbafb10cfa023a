/** Compares two runs of the tests of a change: on the sources of the base commit, and on the change. */
import { countPasses, withoutKnown } from '@fettle/checks';
import type { CheckFailure, FaultEvidence } from '@fettle/contract';
import type { RanCheck } from '../verify/run-checks.ts';

type Shown = Pick<FaultEvidence, 'failsBefore' | 'passesBefore' | 'cannotLoad'>;

export const nothing: Shown = { failsBefore: [], passesBefore: [], cannotLoad: [] };
const maxListed = 50;

export const couldNotRun = (message = ''): FaultEvidence => ({
  status: 'could_not_run',
  message,
  ...nothing,
});

/** Compares the tests of the change on the base's sources with the same tests on the change. */
export function readEvidence({
  before,
  after,
  paths,
}: {
  before: RanCheck | undefined;
  after: RanCheck;
  paths: string[];
}): FaultEvidence {
  if (before === undefined) return couldNotRun('Set-up failed on the base commit.');
  // A module that the change adds is missing on the base: its tests cannot be loaded there.
  if (before.status === 'could_not_run' && before.obstacle?.code !== 'missing_package')
    return couldNotRun(before.obstacle?.message);
  if (before.status !== 'passed' && !before.report?.failures.length)
    return couldNotRun('The tests fail on the base commit, and their output does not say which.');
  const failures = before.report?.failures ?? [];
  const fixed = withoutUnrun(withoutKnown(failures, after.report?.failures ?? []), before, after);
  const broken = fixed.filter((failure) => isLoadFailure(failure, { paths, output: before.output }));
  const named = fixed.filter((failure) => !broken.includes(failure) && failure.name !== undefined);
  const failsBefore = named.filter((failure) => passesNow(failure, before, after));
  const unknown = namesAll(after) ? [] : named.filter((failure) => !failsBefore.includes(failure));
  const red = new Set(failures.map(({ file }) => file));
  const shown: Shown = {
    failsBefore: failsBefore.slice(0, maxListed).map(({ file, name }) => ({ ...(file && { file }), name })),
    // A command that reports no tests may have run none of them.
    passesBefore: (before.report?.passed ? paths : [])
      .filter((path) => !red.has(path) && isRunnable(path))
      .slice(0, maxListed)
      .map((file) => ({ file })),
    cannotLoad: broken
      .slice(0, maxListed)
      .map(({ file = '', message }) => ({ file, message: firstLine(message) })),
  };
  if (shown.failsBefore.length > 0) return { status: 'shown', ...shown };
  if (shown.cannotLoad.length > 0)
    return {
      status: 'weak',
      message: 'A test of the change lacks a module or a file before it, or cannot be loaded.',
      ...shown,
    };
  if (unknown.length > 0) return { status: 'weak', message: describeUnknown(unknown), ...shown };
  return { status: 'none', message: 'No test shows the fault.', ...shown };
}

/** Whether tests that no longer fail are not known to pass, because the output does not name them. */
export const needsNames = ({ status, failsBefore, cannotLoad }: FaultEvidence): boolean =>
  status === 'weak' && failsBefore.length === 0 && cannotLoad.length === 0;

/** A test that no longer fails may simply no longer run, so it has to pass by the same name. */
const passesNow = (failure: CheckFailure, before: RanCheck, after: RanCheck) =>
  countPasses(after.passes ?? [], failure) > countPasses(before.passes ?? [], failure);

/** Whether the output names every passed test. Many tools only count them. */
const namesAll = ({ passes = [], report }: RanCheck) =>
  report?.passed !== undefined && passes.length >= report.passed;

function describeUnknown(unknown: CheckFailure[]): string {
  const names = unknown.map(({ file, name = '' }) => [file, name].filter(Boolean).join(' '));
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `These tests fail before the change: ${names.slice(0, maxNamed).join(', ')}${more}. The output does not name the tests that pass after it.`;
}

const maxNamed = 3;

/**
 * Where names are not known, each failure that is gone must at least add one passed test. A part of the tests cannot be
 * compared with all of them.
 */
function withoutUnrun(fixed: CheckFailure[], before: RanCheck, after: RanCheck): CheckFailure[] {
  if (before.command !== after.command) return fixed;
  const passedBefore = before.report?.passed ?? 0;
  const passedAfter = after.report?.passed;
  return passedAfter !== undefined && passedAfter - passedBefore >= fixed.length ? fixed : [];
}

const loadError =
  /does not provide an export|Cannot find (?:module|package)|SyntaxError|ERR_MODULE_NOT_FOUND|ImportError|ModuleNotFoundError|is not exported|error TS\d+|Failed to (?:load|resolve)|undefined: \w/;

/** Files that only the change contains are missing on the base, whatever the test would find with them. */
const missingFile =
  /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ENOENT|No such file or directory|\b(?:ImportError|ModuleNotFoundError|FileNotFoundError|FileNotFoundException|NoSuchFileException|LoadError)\b|cannot load such file|Failed to (?:load|resolve|open)|(?:os error 2\b)|cannot find the file/i;

/**
 * A file that cannot be loaded is reported without a test, or as a test with the name of the file. A test may also load a
 * module or a file itself.
 */
function isLoadFailure(
  { file, name, message }: CheckFailure,
  { paths, output }: { paths: string[]; output: string },
): boolean {
  if (missingFile.test(message)) return true;
  const isWholeFile = name === undefined || name === file || paths.some((path) => name.endsWith(path));
  return isWholeFile && (loadError.test(message) || file === undefined || loadError.test(output));
}

/** Data beside tests is not a test. */
const isRunnable = (path: string) => /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|exs?)$/.test(path);
const firstLine = (text: string) => (text.trim().split('\n')[0] ?? '').slice(0, 300);
