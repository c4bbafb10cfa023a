import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mirrorWith } from '../testing/mirror.ts';
import { commitFiles, git } from '../testing/repository.ts';
import { pushCommit } from './push-commit.ts';
import { withdrawBranch } from './withdraw-branch.ts';

const branch = 'fettle/mend-it';

async function pushed() {
  const { mirror, source, base } = await mirrorWith({ a: 'a' });
  const options = { mirror, target: source, commit: base, branch };
  await pushCommit(options);
  expect(branchesOf(source)).toEqual([branch, 'main']);
  return { source, base, options };
}

const branchesOf = (folder: string) =>
  git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

test('deletes its own branch', async () => {
  const { source, options } = await pushed();
  expect(await withdrawBranch(options)).toEqual({ end: 'withdrawn' });
  expect(branchesOf(source)).toEqual(['main']);
  expect(existsSync(join(source, '.git/refs/heads', `${branch}.lock`))).toBe(false);
});

test('leaves a branch alone that somebody moved', async () => {
  const { source, options } = await pushed();
  const moved = commitFiles(source, { b: 'b' });
  git(source, 'update-ref', `refs/heads/${branch}`, moved);
  expect(await withdrawBranch(options)).toEqual({ end: 'not_there' });
  expect(git(source, 'rev-parse', branch)).toBe(moved);
});

test('a missing branch is not an error', async () => {
  const { source, options } = await pushed();
  git(source, 'branch', '-D', branch);
  expect(await withdrawBranch(options)).toEqual({ end: 'not_there' });
  expect(branchesOf(source)).toEqual(['main']);
});

test('works without a mirror', async () => {
  const { source, options } = await pushed();
  rmSync(options.mirror, { recursive: true });
  expect(await withdrawBranch(options)).toEqual({ end: 'withdrawn' });
  expect(branchesOf(source)).toEqual(['main']);
  expect(existsSync(options.mirror)).toBe(false);
});

test('a target that forbids deletion refuses', async () => {
  const { source, options } = await pushed();
  git(source, 'config', 'receive.denyDeletes', 'true');
  expect(await withdrawBranch(options)).toEqual({
    end: 'refused',
    reason: expect.stringContaining('deletion prohibited'),
  });
  expect(branchesOf(source)).toEqual([branch, 'main']);
});

test('leaves a checked-out branch alone', async () => {
  const { source, options } = await pushed();
  git(source, 'checkout', '-q', branch);
  expect(await withdrawBranch(options)).toMatchObject({ end: 'refused' });
  expect(branchesOf(source)).toEqual([branch, 'main']);
});

test('a lock in the target is a refusal, and a retry succeeds', async () => {
  const { source, options } = await pushed();
  const lock = join(source, '.git/refs/heads', `${branch}.lock`);
  writeFileSync(lock, '');
  expect(await withdrawBranch(options)).toMatchObject({ end: 'refused' });
  rmSync(lock);
  expect(await withdrawBranch(options)).toEqual({ end: 'withdrawn' });
});
