import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, repositoryWith, temporaryFolder, writeFile } from '../testing/repository.ts';
import { inspectSource } from './inspect-source.ts';

const clean = { isRepository: true, isBare: false, hasUncommittedChanges: false, currentBranch: 'main' };

test('a clean clone, and every kind of uncommitted change', async () => {
  const source = repositoryWith({ 'a.txt': 'one\n', '.gitignore': '*.log\n' });
  const isDirty = async () => (await inspectSource(source)).hasUncommittedChanges;
  expect(await inspectSource(source)).toEqual(clean);
  writeFile(source, 'x.log', 'ignored');
  expect(await isDirty()).toBe(false);
  utimesSync(join(source, 'a.txt'), 1, 1);
  expect(await isDirty()).toBe(false);
  writeFile(source, 'new.txt', 'untracked');
  expect(await isDirty()).toBe(true);
  rmSync(join(source, 'new.txt'));
  // The same size, and perhaps the same time as the index.
  writeFile(source, 'a.txt', 'two\n');
  expect(await isDirty()).toBe(true);
  git(source, 'add', 'a.txt');
  expect(await isDirty()).toBe(true);
  git(source, 'reset', '--quiet', '--hard');
  chmodSync(join(source, 'a.txt'), 0o755);
  expect(await isDirty()).toBe(true);
});

test('a clone with line-ending attributes is clean', async () => {
  const source = repositoryWith({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\n' });
  utimesSync(join(source, 'a.txt'), 1, 1);
  expect(await inspectSource(source)).toEqual(clean);
});

test('a bare repository, a detached HEAD, no commit yet, no repository', async () => {
  const source = repositoryWith({ a: 'a' });
  const folder = temporaryFolder();
  git(folder, 'clone', '--quiet', '--bare', source, 'bare.git');
  expect(await inspectSource(join(folder, 'bare.git'))).toEqual({ ...clean, isBare: true });
  git(source, 'checkout', '--quiet', '--detach');
  expect(await inspectSource(source)).toEqual({ ...clean, currentBranch: undefined });
  mkdirSync(join(folder, 'unborn'));
  git(join(folder, 'unborn'), 'init', '--quiet', '--initial-branch=main');
  expect(await inspectSource(join(folder, 'unborn'))).toEqual(clean);
  const nothing = {
    isRepository: false,
    isBare: false,
    hasUncommittedChanges: false,
    currentBranch: undefined,
  };
  expect(await inspectSource(folder)).toEqual(nothing);
  expect(await inspectSource(join(folder, 'gone'))).toEqual(nothing);
});

test('a linked work tree and a split index', async () => {
  const source = repositoryWith({ a: 'a' });
  const linked = join(temporaryFolder(), 'linked');
  git(source, 'worktree', 'add', '--quiet', '-b', 'side', linked);
  expect(await inspectSource(linked)).toEqual({ ...clean, currentBranch: 'side' });
  writeFileSync(join(linked, 'a'), 'b');
  expect((await inspectSource(linked)).hasUncommittedChanges).toBe(true);
  git(source, 'update-index', '--split-index');
  expect(await inspectSource(source)).toEqual(clean);
});
