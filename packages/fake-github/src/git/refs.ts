import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preReceiveHook } from './pre-receive-hook.ts';
import { GitFailure, runGit } from './run-git.ts';

/** `refs/heads/main` → commit. */
export type Refs = Map<string, string>;

export async function createBareRepository(folder: string, defaultBranch: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Without an initial branch that exists later, clones would be empty.
  await runGit(folder, ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`]);
  const settings = {
    'uploadpack.allowFilter': 'true',
    'uploadpack.allowAnySHA1InWant': 'true',
    // GitHub refuses pushes to its own refs/pull/*.
    'receive.hideRefs': 'refs/pull',
    'gc.auto': '0',
  };
  for (const [name, value] of Object.entries(settings)) await runGit(folder, ['config', name, value]);
  const hook = join(folder, 'hooks/pre-receive');
  await mkdir(join(folder, 'hooks'), { recursive: true });
  await writeFile(hook, preReceiveHook);
  await chmod(hook, 0o755);
}

export async function listRefs(folder: string, prefix = 'refs/'): Promise<Refs> {
  const lines = await runGit(folder, ['for-each-ref', '--format=%(refname) %(objectname)', prefix]);
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );
}

/** The commit of a branch, a tag or a (short) hash. */
export async function resolveCommit(folder: string, name: string): Promise<string | undefined> {
  if (name.startsWith('-')) return undefined;
  const names = [`refs/heads/${name}`, `refs/tags/${name}`, name];
  for (const each of names) {
    try {
      return await runGit(folder, [
        'rev-parse',
        '--verify',
        '--quiet',
        '--end-of-options',
        `${each}^{commit}`,
      ]);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
    }
  }
  return undefined;
}

export async function updateRef(folder: string, ref: string, sha: string, expected?: string): Promise<void> {
  await runGit(folder, ['update-ref', ref, sha, ...(expected === undefined ? [] : [expected])]);
}

export async function deleteRef(folder: string, ref: string): Promise<void> {
  await runGit(folder, ['update-ref', '-d', ref]);
}

export async function isAncestor(folder: string, ancestor: string, commit: string): Promise<boolean> {
  try {
    await runGit(folder, ['merge-base', '--is-ancestor', ancestor, commit]);
    return true;
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Copies the commits of a fork into the base repository, as GitHub does for refs/pull/N/head. */
export async function copyCommit(from: string, to: string, sha: string): Promise<void> {
  await runGit(to, ['fetch', '--quiet', '--no-tags', from, sha]);
}
