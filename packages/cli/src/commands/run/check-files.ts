/** Rejects a --file that the repository does not contain, before anything is started or paid for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestInput } from '@fettle/contract';
import { runProgram } from '@fettle/process';
import { usageError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';

/** The files of a repository elsewhere are known only to the server. */
export async function checkFiles(
  { repository, baseBranch, targetFiles = [] }: RequestInput,
  { searchPath }: Pick<Config, 'searchPath'>,
): Promise<void> {
  if (!repository.startsWith('/')) return;
  const hasObject = async (name: string) => {
    const argv = ['git', '-C', repository, 'cat-file', '-e', name];
    const { exitCode } = await runProgram(argv, { environment: { PATH: searchPath }, timeoutMs: 10_000 });
    return exitCode === 0;
  };
  const base = baseBranch ?? 'HEAD';
  // A repository or a branch that cannot be read is reported by the server, which knows more about it.
  if (targetFiles.length === 0 || !(await hasObject(`${base}^{commit}`))) return;
  for (const path of targetFiles) {
    if (await hasObject(`${base}:${path.replace(/^\.\//, '')}`)) continue;
    const where = baseBranch === undefined ? repository : `the branch ${baseBranch} of ${repository}`;
    const isUncommitted = baseBranch === undefined && existsSync(join(repository, path));
    throw usageError(
      `--file: ${path} ${isUncommitted ? 'is not committed' : 'does not exist'} in ${where}.`,
      isUncommitted ? 'Fettle sees committed files only: commit it first.' : fromTheRoot,
    );
  }
}

const fromTheRoot = 'Give the path from the root of the repository, for example src/cart.ts.';
