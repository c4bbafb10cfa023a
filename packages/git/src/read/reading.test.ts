import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mirrorOf, mirrorWith } from '../testing/mirror.ts';
import { commitFiles, git, repositoryWith, temporaryFolder } from '../testing/repository.ts';
import { listFiles } from './list-files.ts';
import { listTree, readIgnoreFiles } from './list-tree.ts';
import { logCommits } from './log-commits.ts';
import { type TreePack, withTreePack } from './pack-tree.ts';
import { readBlobAt, readBlobsAt } from './read-blobs.ts';
import { resolveCommit } from './resolve-commit.ts';

const awkward = [
  ...[' lead and trail ', 'new\nline', 'quo"te\'s', 'ünï/çødé ✓'],
  ...['-dash', 'a\\b', '*', ':(top)x', 'tab\t'],
];

async function awkwardMirror() {
  const source = repositoryWith(Object.fromEntries(awkward.map((path) => [path, `content of ${path}`])));
  commitFiles(source, { 'bin.dat': Buffer.from([0, 255, 10, 13, 0]), 'dir/run.sh': '#!/bin/sh\n' });
  chmodSync(join(source, 'dir/run.sh'), 0o755);
  symlinkSync('../outside', join(source, 'dir/link'));
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  mkdirSync(join(source, 'sub'));
  commitFiles(source, {
    '.gitattributes': '*.txt text eol=crlf\n*.big filter=lfs\n',
    'x.txt': 'a\r\nb\r\n',
    'y.big': 'z',
  });
  return mirrorOf(source);
}

test('files are read without conversion', async () => {
  const { mirror, base } = await awkwardMirror();
  for (const path of awkward) {
    const blob = await readBlobAt(mirror, base, path);
    expect(blob).toEqual({ kind: 'blob', bytes: Buffer.from(`content of ${path}`), executable: false });
  }
  const some = await readBlobsAt(mirror, base, ['bin.dat', 'dir/run.sh', 'dir/link', 'x.txt', 'y.big']);
  expect(Object.fromEntries(some)).toEqual({
    'bin.dat': { kind: 'blob', bytes: Buffer.from([0, 255, 10, 13, 0]), executable: false },
    'dir/run.sh': { kind: 'blob', bytes: Buffer.from('#!/bin/sh\n'), executable: true },
    'dir/link': { kind: 'link', bytes: Buffer.from('../outside') },
    'x.txt': { kind: 'blob', bytes: Buffer.from('a\nb\n'), executable: false },
    'y.big': { kind: 'blob', bytes: Buffer.from('z'), executable: false },
  });
});

test('a path that is not a file is missing', async () => {
  const { mirror, base } = await awkwardMirror();
  for (const path of [
    ...['gone', 'new\nline/x', 'dir', 'sub', 'sub/x', '', '/', '../x', './dir/run.sh', 'dir//run.sh', 'a\0b'],
  ]) {
    expect(await readBlobAt(mirror, base, path), JSON.stringify(path)).toEqual({ kind: 'missing' });
  }
});

test('a file beyond the limit is too large, and so are several files together', async () => {
  const big = 'x'.repeat(1000);
  const { mirror, base } = await mirrorWith({ big, small: 'y' });
  expect(await readBlobAt(mirror, base, 'big', { maxBytes: 999 })).toEqual({ kind: 'too_large' });
  const whole = await readBlobAt(mirror, base, 'big', { maxBytes: 1000 });
  expect(whole).toMatchObject({ bytes: Buffer.from(big) });
  const both = readBlobsAt(mirror, base, ['big', 'small'], { maxBytes: 1000 });
  await expect(both).rejects.toMatchObject({ code: 'too_large' });
});

test('the tree is listed with modes, types and sizes', async () => {
  const { mirror, base } = await awkwardMirror();
  const entries = await listTree(mirror, base);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  expect(awkward.filter((path) => !byPath.has(path))).toEqual([]);
  expect(byPath.get('sub')).toEqual({
    ...{ path: 'sub', mode: '160000', type: 'commit', oid: '1'.repeat(40), size: undefined },
  });
  expect(byPath.get('dir/run.sh')).toMatchObject({ mode: '100755', type: 'blob', size: 10 });
  expect(byPath.get('dir/link')).toMatchObject({ mode: '120000', type: 'blob', size: 10 });
  await expect(listTree(mirror, base, { maxEntries: 3 })).rejects.toMatchObject({ code: 'too_large' });
});

test('ignore files are found at every depth, and links are skipped', async () => {
  const source = repositoryWith({
    '.gitignore': '*.log\n',
    'a/b/.gitignore': '!x.log\n',
    'x.gitignore': 'no',
    'c/f': '',
  });
  symlinkSync('../.gitignore', join(source, 'c', '.gitignore'));
  commitFiles(source, {});
  const { mirror, base } = await mirrorOf(source);
  expect(await readIgnoreFiles(mirror, base)).toEqual([
    { path: '.gitignore', content: '*.log\n' },
    { path: 'a/b/.gitignore', content: '!x.log\n' },
  ]);
});

test('only names of commits are resolved', async () => {
  const { mirror, base } = await mirrorWith({ a: 'a' });
  for (const name of ['main', 'refs/heads/main', base, base.slice(0, 10)]) {
    expect(await resolveCommit(mirror, name)).toBe(base);
  }
  const blob = git(mirror, 'rev-parse', 'main:a');
  const others = ['gone', '--help', '-x', '', 'main~0', 'main:a', 'HEAD^{tree}', 'a\nb', '@{0}'];
  for (const name of [...others, blob, '0'.repeat(40)]) {
    await expect(resolveCommit(mirror, name), name).rejects.toMatchObject({ code: 'bad_ref' });
  }
});

test('a packed tree contains the commit and its tree, and no other object', async () => {
  const source = repositoryWith({ 'a.txt': 'first\n', 'b.txt': 'same\n' });
  commitFiles(source, { 'a.txt': 'second\n' });
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  git(source, 'commit', '--quiet', '-m', 'a gitlink');
  const { mirror, base } = await mirrorOf(source);
  const pack = await withTreePack(mirror, base, {}, readPack);
  const clone = cloneOf(pack);
  git(clone, 'verify-pack', join(clone, 'objects/pack/pack-1.pack'));
  expect(git(clone, 'rev-list', '--objects', base).split('\n')).toHaveLength(4);
  expect(git(clone, 'count-objects', '-v')).toContain('in-pack: 4');
  expect(git(clone, 'cat-file', '-p', `${base}:a.txt`)).toBe('second');
});

test('a packed tree can have other contents, which the mirror never gets', async () => {
  const source = repositoryWith({ 'a.txt': 'kept\n', 'deep/.env': 'A=secret\n' });
  const { mirror, base } = await mirrorOf(source);
  const [file] = await listFiles(mirror, base, (path) => path.endsWith('.env'));
  if (!file) throw new Error('no file found');
  const replacements = [{ ...file, bytes: Buffer.from('withheld\n') }];
  const pack = await withTreePack(mirror, base, { replacements }, readPack);
  const { commit } = pack;
  expect(commit).not.toBe(base);
  const clone = cloneOf(pack);
  expect(git(clone, 'cat-file', '-p', `${commit}:deep/.env`)).toBe('withheld');
  expect(git(clone, 'cat-file', '-p', `${commit}:a.txt`)).toBe('kept');
  expect(git(clone, 'log', '-1', '--format=%an %s', commit)).toBe(
    git(mirror, 'log', '-1', '--format=%an %s', base),
  );
  expect(() => git(clone, 'cat-file', '-e', file.oid)).toThrow();
  expect(() => git(mirror, 'cat-file', '-e', commit)).toThrow();
});

async function readPack({ commit, indexBytes, chunks }: TreePack) {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return { commit, indexBytes, bytes: Buffer.concat(read) };
}

/** A shallow clone with nothing but the pack. */
function cloneOf({ commit, indexBytes, bytes }: Awaited<ReturnType<typeof readPack>>): string {
  const clone = temporaryFolder();
  git(clone, 'init', '--quiet', '--bare');
  writeFileSync(join(clone, 'objects/pack/pack-1.idx'), bytes.subarray(0, indexBytes));
  writeFileSync(join(clone, 'objects/pack/pack-1.pack'), bytes.subarray(indexBytes));
  writeFileSync(join(clone, 'shallow'), `${commit}\n`);
  return clone;
}

test('packs leave no files in the mirror, and those of a killed worker are removed', async () => {
  const { mirror, base } = await mirrorWith({
    a: Buffer.alloc(3_000_000, 'x').map((_, index) => (index * 7919) % 251) as Buffer,
  });
  const dead = spawnSync('true').pid;
  // With a clock that is ahead, the folders of running processes look old as well.
  const [living, ...abandoned] = [`tree-${process.ppid}-a`, `tree-${dead}-a`, 'tree-abandoned'];
  for (const name of [living, ...abandoned]) {
    mkdirSync(join(mirror, name));
    utimesSync(join(mirror, name), 0, 0);
  }
  const before = readdirSync(mirror).filter((name) => !abandoned.includes(name));
  expect(before).toContain(living);

  await expect(withTreePack(mirror, '1'.repeat(40), {}, readPack)).rejects.toMatchObject({ code: 'failed' });
  const readsABit = async ({ chunks }: TreePack) => {
    for await (const _ of chunks) break;
  };
  await withTreePack(mirror, base, {}, readsABit);
  await withTreePack(mirror, base, {}, async () => 'reads nothing');
  const fails = () => Promise.reject(new Error('the sandbox is gone'));
  await expect(withTreePack(mirror, base, {}, fails)).rejects.toThrow('gone');

  expect(readdirSync(mirror)).toEqual(before);
});

test('the log of a commit and of a path', async () => {
  const source = repositoryWith({ 'a*': 'one', b: 'one' });
  const second = commitFiles(source, { b: 'two' }, 'the second: ünï');
  commitFiles(source, { 'a*': 'three' }, 'the third');
  const { mirror, base } = await mirrorOf(source);
  const all = await logCommits({ mirror, commit: base, max: 10 });
  expect(all.map((commit) => commit.subject)).toEqual(['the third', 'the second: ünï', 'a change']);
  const [last] = await logCommits({ mirror, commit: base, path: 'b', max: 1 });
  expect(last).toEqual({
    oid: second,
    subject: 'the second: ünï',
    author: { name: 'Some One', email: 'someone@example.com' },
    dateSeconds: Number(git(source, 'log', '-1', '--format=%at', second)),
  });
  expect(await logCommits({ mirror, commit: base, path: 'a?', max: 10 })).toEqual([]);
});
