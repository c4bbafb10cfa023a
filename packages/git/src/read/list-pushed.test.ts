import { expect, test } from 'vitest';
import { mirrorOf } from '../testing/mirror.ts';
import { commitFiles, git, repositoryWith } from '../testing/repository.ts';
import { grepCommit } from './grep-commit.ts';
import { listPushed } from './list-pushed.ts';

test('a push contains all commits and blobs that the base does not have', async () => {
  const source = repositoryWith({ a: 'old\n', 'deep/b': 'same\n' });
  const base = git(source, 'rev-parse', 'HEAD');
  commitFiles(source, { a: 'between\n' });
  commitFiles(source, { a: 'new\n', 'deep/c': 'same\n', d: Buffer.from([0, 1]).toString() });
  const { mirror } = await mirrorOf(source);
  const head = git(source, 'rev-parse', 'HEAD');
  const { commits, blobs } = await listPushed({ mirror, base, head });
  expect(commits.map(({ text }) => /^tree [0-9a-f]{40}\nparent /.test(text))).toEqual([true, true]);
  const found = (await Array.fromAsync(blobs)).flat().map(({ path, bytes }) => [path, bytes.toString()]);
  // A file that a later commit deletes is pushed too. Files of the base are not.
  expect(found.sort()).toEqual([
    ['a', 'between\n'],
    ['a', 'new\n'],
    ['d', '\0\u0001'],
  ]);
});

test('every path that a commit adds is listed, even if the blob existed under another path', async () => {
  const source = repositoryWith({ a: 'one\n', b: 'two\n' });
  const base = git(source, 'rev-parse', 'HEAD');
  git(source, 'mv', 'a', 'moved');
  commitFiles(source, { 'same/1': 'new\n', 'same/2': 'new\n', 'new\nline ü': 'x\n' });
  const { mirror } = await mirrorOf(source);
  const { names } = await listPushed({ mirror, base, head: git(source, 'rev-parse', 'HEAD') });
  expect(names.sort()).toEqual(['moved', 'new\nline ü', 'same/1', 'same/2']);
});

test('grep finds a fixed text in the files of a commit', async () => {
  const source = repositoryWith({ a: 'x (1.*) y\n', 'deep/ü': '(1.*)', c: '(12)' });
  const { mirror, base } = await mirrorOf(source);
  expect((await grepCommit({ mirror, commit: base, line: '(1.*)' })).sort()).toEqual(['a', 'deep/ü']);
  expect(await grepCommit({ mirror, commit: base, line: 'nowhere' })).toEqual([]);
  expect(await grepCommit({ mirror, commit: base, line: '' })).toEqual([]);
});
