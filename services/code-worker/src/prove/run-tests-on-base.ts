/** Runs the tests of a change, with their data, on the sources of the base commit, and on the change by the same command. */
import { dirname } from 'node:path/posix';
import type { SetupLack } from '@fettle/check-run';
import { isRunnable, nameTests, narrowCommand } from '@fettle/checks';
import { type FoundBlob, readBlobAt } from '@fettle/git';
import type { Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';
import { repeatSetup } from '../prepare/run-setup.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { readScriptsAt, takesLong } from '../verify/choose-checks.ts';
import { type RanCheck, runChecks } from '../verify/run-checks.ts';

type Needs = Pick<Attempt, 'claim' | 'config' | 'record' | 'sandboxes' | 'secrets' | 'stop'>;
export type TestFile = FoundBlob & { path: string };

export async function readTests(mirror: string, commit: string, paths: string[]): Promise<TestFile[]> {
  const files: TestFile[] = [];
  for (const path of paths) {
    const blob = await readBlobAt(mirror, commit, path);
    if ('bytes' in blob) files.push({ path, ...blob });
  }
  return files;
}

export async function runTestsOnBase(
  attempt: Needs,
  workspace: Workspace,
  { files, gone, naming }: { files: TestFile[]; gone: string[]; naming?: string },
): Promise<RanCheck | undefined> {
  const { config, diffBase } = workspace;
  const sandbox = await workspace.openFresh(diffBase);
  try {
    const setUp = await repeatSetup(attempt, sandbox, workspace);
    if (!setUp.ok) return undefined;
    const { lack } = setUp;
    if (gone.length > 0) await sandbox.run({ argv: ['rm', '-f', '--', ...gone.map((path) => `./${path}`)] });
    await writeTests(sandbox, files);
    const { test } = config.commands;
    if (test === undefined) return undefined;
    const run = (command: string) => runTest(attempt, workspace, { sandbox, command, lack });
    if (naming !== undefined) return await run(naming);
    // Data and helpers matter to tests in other files.
    const isPlain = gone.length === 0 && files.every(({ path }) => isRunnable(path));
    const part = isPlain && takesLong(attempt, workspace) && (await narrowTo(workspace, test, files));
    const partial = part ? await run(part) : undefined;
    return partial && partial.status !== 'could_not_run' ? partial : await run(test);
  } finally {
    workspace.closeSandbox(sandbox);
  }
}

interface TestRun {
  sandbox: Sandbox;
  command: string;
  lack: SetupLack | undefined;
}

async function runTest(
  attempt: Needs,
  { config, withheld }: Workspace,
  { sandbox, command, lack }: TestRun,
): Promise<RanCheck | undefined> {
  const only = { ...config, commands: { test: command } };
  const options = { sandbox, config: only, withheld, phase: 'evidence', round: 1, lack } as const;
  const [check] = await runChecks(attempt, options);
  return check;
}

/**
 * Both runs again, with the names of the tests that pass. Many tools only count them, and then it is not known whether a
 * test that no longer fails still runs. Undefined if the tool cannot name them.
 */
export async function runNamingTests(
  attempt: Needs,
  workspace: Workspace,
  { commit, files, gone }: { commit: string; files: TestFile[]; gone: string[] },
): Promise<{ before: RanCheck; after: RanCheck } | undefined> {
  const { test } = workspace.config.commands;
  if (test === undefined) return undefined;
  const scripts = await readScriptsAt(workspace.mirror, workspace.diffBase);
  const paths = files.map(({ path }) => path).filter(isRunnable);
  const naming = nameTests(test, scripts, paths);
  if (naming === undefined) return undefined;
  const before = await runTestsOnBase(attempt, workspace, { files, gone, naming });
  const sandbox = await workspace.openFresh(commit);
  try {
    const setUp = await repeatSetup(attempt, sandbox, workspace);
    if (!setUp.ok || before === undefined) return undefined;
    const after = await runTest(attempt, workspace, { sandbox, command: naming, lack: setUp.lack });
    return after && { before, after };
  } finally {
    workspace.closeSandbox(sandbox);
  }
}

/** Links come last, so that no file is written through one. */
async function writeTests(sandbox: Sandbox, files: TestFile[]): Promise<void> {
  for (const file of files)
    if (file.kind === 'blob') await sandbox.writeFile(file.path, file.bytes, { executable: file.executable });
  for (const file of files)
    if (file.kind === 'link') {
      await sandbox.run({ argv: ['mkdir', '-p', '--', `./${dirname(file.path)}`] });
      await sandbox.run({ argv: ['ln', '-sfn', '--', file.bytes.toString(), `./${file.path}`] });
    }
}

/** The command that runs only these test files; undefined if there is none. */
async function narrowTo(
  { mirror, diffBase }: Workspace,
  command: string,
  files: TestFile[],
): Promise<string | undefined> {
  const scripts = await readScriptsAt(mirror, diffBase);
  const narrowed = narrowCommand(command, scripts, { paths: files.map(({ path }) => path) });
  return narrowed.ok ? narrowed.command : undefined;
}
