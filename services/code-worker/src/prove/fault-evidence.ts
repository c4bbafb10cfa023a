/**
 * Evidence that a change fixes a fault: the tests of the change, run against the sources of the base commit. A test
 * that fails there and passes with the change shows the fault.
 */
import { createHash } from 'node:crypto';
import { isTestFile, narrowCommand, withoutKnown } from '@fettle/checks';
import type { CheckFailure, CheckResult, FaultEvidence } from '@fettle/contract';
import { diffCommits, readBlobAt } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { repeatSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { BaseChecks } from '../verify/base-checks.ts';
import { readScriptsAt, takesLong } from '../verify/choose-checks.ts';
import { runChecks } from '../verify/run-checks.ts';
import { isFixing } from './assess-proof.ts';

type Needs = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'>;
type Shown = Pick<FaultEvidence, 'failsBefore' | 'passesBefore' | 'cannotLoad'>;

const nothing: Shown = { failsBefore: [], passesBefore: [], cannotLoad: [] };
const maxListed = 50;

/** Whether the request is about a fault, and nobody turned the evidence off. */
function wantsEvidence({ claim, config }: Pick<Attempt, 'claim' | 'config'>): boolean {
  const { kind, evidence } = claim.operation.request;
  return isFixing(kind) && config.faultEvidence && evidence !== false;
}

interface ChangedTests {
  /** The test files that the change adds or edits. */
  written: string[];
  /** Those that it deletes or moves away. */
  gone: string[];
}

async function listChangedTests(
  { mirror, baseCommit }: Pick<Workspace, 'mirror' | 'baseCommit'>,
  commit: string,
): Promise<ChangedTests> {
  const { files } = await diffCommits({ mirror, from: baseCommit, to: commit, maxBytes: 0 });
  return {
    written: files.flatMap(({ path, status }) => (status !== 'deleted' && isTestFile(path) ? [path] : [])),
    gone: files.flatMap(({ path, oldPath, status }) => {
      const old = status === 'deleted' ? path : oldPath;
      return old !== undefined && isTestFile(old) ? [old] : [];
    }),
  };
}

export interface FaultEvidenceCollector {
  /** `after` is the test check of the commit. Undefined if the request is not about a fault. */
  collect(commit: string, after: CheckResult | undefined): Promise<FaultEvidence | undefined>;
  /** Tests that fail on the base, and that the change edited or removed so that they would not fail there any more. */
  listAltered(commit: string): Promise<string[]>;
}

/** Runs the same tests on the base only once: the checks of the last round and the proof usually agree on them. */
export function createEvidence(
  attempt: Needs,
  workspace: Workspace,
  base: BaseChecks,
): FaultEvidenceCollector {
  const known = new Map<string, CheckResult | undefined>();

  async function measure(commit: string, { written, gone }: ChangedTests): Promise<CheckResult | undefined> {
    if (written.length + gone.length === 0) return base.measure('test');
    const files = await readTests(workspace.mirror, commit, written);
    const hash = createHash('sha256').update(JSON.stringify(gone));
    for (const { path, bytes } of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    const key = hash.digest('hex');
    if (!known.has(key)) known.set(key, await runTestsOnBase(attempt, workspace, { files, gone }));
    return known.get(key);
  }

  return {
    async collect(commit, after) {
      if (!isFixing(attempt.claim.operation.kind)) return undefined;
      if (!wantsEvidence(attempt)) return { status: 'off', ...nothing };
      if (after === undefined) return couldNotRun('The repository has no tests that Fettle can run.');
      if (after.status === 'could_not_run') return couldNotRun(after.obstacle?.message);
      const tests = await listChangedTests(workspace, commit);
      return readEvidence({ before: await measure(commit, tests), after, paths: tests.written });
    },
    async listAltered(commit) {
      if (!isFixing(attempt.claim.operation.kind) || takesLong(attempt, workspace)) return [];
      const tests = await listChangedTests(workspace, commit);
      if (tests.written.length + tests.gone.length === 0) return [];
      const failures = (await base.measure('test'))?.report?.failures ?? [];
      if (failures.length === 0) return [];
      const still = (await measure(commit, tests))?.report?.failures ?? [];
      return withoutKnown(failures, still).map(({ name, file = '' }) => name ?? file);
    },
  };
}

const couldNotRun = (message = ''): FaultEvidence => ({ status: 'could_not_run', message, ...nothing });

interface TestFile {
  path: string;
  bytes: Buffer;
  executable: boolean;
}

async function readTests(mirror: string, commit: string, paths: string[]): Promise<TestFile[]> {
  const files: TestFile[] = [];
  for (const path of paths) {
    const blob = await readBlobAt(mirror, commit, path);
    if (blob.kind === 'blob') files.push({ path, bytes: blob.bytes, executable: blob.executable });
  }
  return files;
}

async function runTestsOnBase(
  attempt: Needs,
  workspace: Workspace,
  { files, gone }: { files: TestFile[]; gone: string[] },
): Promise<CheckResult | undefined> {
  const { config, baseCommit, withheld } = workspace;
  const sandbox = await workspace.openFresh(baseCommit);
  try {
    const setUp = await repeatSetup(attempt, sandbox, workspace);
    if (!setUp.ok) return undefined;
    const { lack } = setUp;
    if (gone.length > 0) await sandbox.run({ argv: ['rm', '-f', '--', ...gone.map((path) => `./${path}`)] });
    for (const { path, bytes, executable } of files) await sandbox.writeFile(path, bytes, { executable });
    const { test } = config.commands;
    if (test === undefined) return undefined;
    const run = async (command: string) => {
      const only = { ...config, commands: { test: command } };
      const options = { sandbox, config: only, withheld, phase: 'evidence', round: 1, lack } as const;
      const [check] = await runChecks(attempt, options);
      return check;
    };
    const part = takesLong(attempt, workspace) && (await narrowTo(workspace, test, files));
    const partial = part ? await run(part) : undefined;
    return partial && partial.status !== 'could_not_run' ? partial : await run(test);
  } finally {
    workspace.closeSandbox(sandbox);
  }
}

/** The command that runs only these test files; undefined if there is none. */
async function narrowTo(
  { mirror, baseCommit }: Workspace,
  command: string,
  files: TestFile[],
): Promise<string | undefined> {
  const scripts = await readScriptsAt(mirror, baseCommit);
  const narrowed = narrowCommand(command, scripts, { paths: files.map(({ path }) => path) });
  return narrowed.ok ? narrowed.command : undefined;
}

/** Compares the tests of the change on the base's sources with the same tests on the change. */
export function readEvidence({
  before,
  after,
  paths,
}: {
  before: CheckResult | undefined;
  after: CheckResult;
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
  const failsBefore = fixed.filter((failure) => !broken.includes(failure) && failure.name !== undefined);
  const red = new Set(failures.map(({ file }) => file));
  const shown: Shown = {
    failsBefore: failsBefore.slice(0, maxListed).map(({ file, name }) => ({ ...(file && { file }), name })),
    passesBefore: paths
      .filter((path) => !red.has(path) && isRunnable(path))
      .slice(0, maxListed)
      .map((file) => ({ file })),
    cannotLoad: broken
      .slice(0, maxListed)
      .map(({ file = '', message }) => ({ file, message: firstLine(message) })),
  };
  if (shown.failsBefore.length > 0) return { status: 'shown', ...shown };
  if (shown.cannotLoad.length > 0)
    return { status: 'weak', message: 'A test file of the change cannot be loaded before it.', ...shown };
  return { status: 'none', message: 'No test shows the fault.', ...shown };
}

/**
 * A test that no longer fails may simply no longer run. Both runs execute the same tests, so each failure that is gone must
 * add at least one passed test. Otherwise no failure counts as fixed.
 */
function withoutUnrun(fixed: CheckFailure[], before: CheckResult, after: CheckResult): CheckFailure[] {
  const passedBefore = before.report?.passed ?? 0;
  const passedAfter = after.report?.passed;
  return passedAfter !== undefined && passedAfter - passedBefore >= fixed.length ? fixed : [];
}

const loadError =
  /does not provide an export|Cannot find (?:module|package)|SyntaxError|ERR_MODULE_NOT_FOUND|ImportError|ModuleNotFoundError|is not exported|error TS\d+|Failed to (?:load|resolve)|undefined: \w/;

/** A file that cannot be loaded is reported without a test, or as a test with the name of the file. */
function isLoadFailure(
  { file, name, message }: CheckFailure,
  { paths, output }: { paths: string[]; output: string },
): boolean {
  const isWholeFile = name === undefined || name === file || paths.some((path) => name.endsWith(path));
  return isWholeFile && (loadError.test(message) || file === undefined || loadError.test(output));
}

/** Data beside tests is not a test. */
const isRunnable = (path: string) => /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|exs?)$/.test(path);
const firstLine = (text: string) => (text.trim().split('\n')[0] ?? '').slice(0, 300);
