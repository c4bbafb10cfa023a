/** Merges in bare repositories. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitTree } from './commits.ts';
import type { Identity } from './config.ts';
import { GitFailure, runGit } from './run-git.ts';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** The tree that a merge would have. Undefined if there are conflicts. */
export async function mergeTree(folder: string, base: string, head: string): Promise<string | undefined> {
  try {
    const output = await runGit(folder, ['merge-tree', '--write-tree', '--no-messages', base, head]);
    return output.split('\n')[0];
  } catch (error) {
    // 1 means conflicts. Unrelated histories cannot be merged either.
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** Returns the new head of the base branch. Undefined if there are conflicts. */
export async function mergeCommits(
  folder: string,
  merge: { base: string; head: string; method: MergeMethod; message: string; author: Identity },
): Promise<string | undefined> {
  const { base, head, method, message, author } = merge;
  if (method === 'rebase') return rebaseCommits(folder, base, head);
  const tree = await mergeTree(folder, base, head);
  if (tree === undefined) return undefined;
  const parents = method === 'merge' ? [base, head] : [base];
  return commitTree(folder, { tree, parents, message, author });
}

async function rebaseCommits(folder: string, base: string, head: string): Promise<string | undefined> {
  const workTree = join(tmpdir(), `fake-github-rebase-${randomUUID()}`);
  await runGit(folder, ['worktree', 'add', '--quiet', '--detach', workTree, base]);
  try {
    await runGit(workTree, ['cherry-pick', `${base}..${head}`]);
    return await runGit(workTree, ['rev-parse', 'HEAD']);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  } finally {
    await runGit(folder, ['worktree', 'remove', '--force', workTree]);
  }
}
