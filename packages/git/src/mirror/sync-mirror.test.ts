import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles, git, repositoryWith, temporaryFolder } from '../testing/repository.ts';
import { syncMirror } from './sync-mirror.ts';

const newMirror = () => join(temporaryFolder(), 'mirrors', 'mirror.git');

test('the first sync fetches all branches, and the second one the changes', async () => {
  const source = repositoryWith({ 'a.txt': 'one\n' });
  git(source, 'branch', 'topic/a');
  const mirror = newMirror();
  const first = git(source, 'rev-parse', 'HEAD');
  expect(await syncMirror({ mirror, source })).toEqual({
    defaultBranch: 'main',
    heads: new Map([
      ['main', first],
      ['topic/a', first],
    ]),
    empty: false,
  });
  git(mirror, 'update-ref', 'refs/fettle/checkpoints/1', first);
  // The new branch has the name of a folder of branches.
  git(source, 'branch', '-D', 'topic/a');
  git(source, 'branch', 'topic');
  const second = commitFiles(source, { 'a.txt': 'two\n' });
  const { heads } = await syncMirror({ mirror, source });
  expect(Object.fromEntries(heads)).toEqual({ main: second, topic: first });
  expect(git(mirror, 'rev-parse', 'refs/fettle/checkpoints/1')).toBe(first);
  expect(readdirSync(dirname(mirror))).toEqual(['mirror.git']);
});

test('rewritten history is fetched', async () => {
  const source = repositoryWith({ 'a.txt': 'one\n' });
  const mirror = newMirror();
  await syncMirror({ mirror, source });
  git(source, 'commit', '--quiet', '--amend', '-m', 'another message');
  const { heads } = await syncMirror({ mirror, source });
  expect(heads.get('main')).toBe(git(source, 'rev-parse', 'HEAD'));
});

test('a repository without commits is empty, and fills up later', async () => {
  const source = join(temporaryFolder(), 'source');
  mkdirSync(source);
  git(source, 'init', '--quiet', '--initial-branch=main');
  const mirror = newMirror();
  expect(await syncMirror({ mirror, source })).toEqual({
    defaultBranch: undefined,
    heads: new Map(),
    empty: true,
  });
  const commit = commitFiles(source, { a: 'a' });
  expect((await syncMirror({ mirror, source })).heads).toEqual(new Map([['main', commit]]));
});

test('the default branch is the branch of HEAD, whatever its name', async () => {
  const source = repositoryWith({ a: 'a' });
  git(source, 'checkout', '--quiet', '-b', 'trunk/next');
  const { defaultBranch } = await syncMirror({ mirror: newMirror(), source });
  expect(defaultBranch).toBe('trunk/next');
});

test('for a detached HEAD, the default branch is a branch at the same commit', async () => {
  const source = repositoryWith({ a: 'a' });
  git(source, 'checkout', '--quiet', '-b', 'topic');
  commitFiles(source, { a: 'b' });
  git(source, 'checkout', '--quiet', '--detach');
  expect((await syncMirror({ mirror: newMirror(), source })).defaultBranch).toBe('topic');
});

test('a shallow clone can be a source', async () => {
  const origin = repositoryWith({ a: 'a' });
  const head = commitFiles(origin, { a: 'b' });
  const source = join(temporaryFolder(), 'shallow');
  git('/', 'clone', '--quiet', '--depth=1', `file://${origin}`, source);
  const { heads } = await syncMirror({ mirror: newMirror(), source });
  expect(heads).toEqual(new Map([['main', head]]));
});

test('syncs of one mirror at the same time all succeed', async () => {
  const source = repositoryWith({ a: 'a' });
  const mirror = newMirror();
  const all = await Promise.all(Array.from({ length: 5 }, () => syncMirror({ mirror, source })));
  for (const state of all) expect(state.heads.size).toBe(1);
});

test('the lock of a killed process is removed', async () => {
  const source = repositoryWith({ a: 'a' });
  const mirror = newMirror();
  await syncMirror({ mirror, source });
  const commit = commitFiles(source, { a: 'b' });
  const lock = join(mirror, 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 1, 1);
  expect((await syncMirror({ mirror, source })).heads.get('main')).toBe(commit);
});

test('a wrong source fails with a code and leaves no files behind', async () => {
  const folder = temporaryFolder();
  const mirror = join(folder, 'mirrors', 'm.git');
  const codeOf = (source: string) => syncMirror({ mirror, source }).then(String, (error) => error.code);
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  writeFileSync(join(folder, 'file'), '');
  expect(await codeOf(plain)).toBe('not_a_repository');
  expect(await codeOf(join(folder, 'file'))).toBe('not_a_repository');
  expect(await codeOf(join(folder, 'gone'))).toBe('unreachable');
  expect(await codeOf('https://127.0.0.1:1/x.git')).toBe('unreachable');
  expect(await codeOf('http://127.0.0.1:1/x.git')).toBe('bad_source');
  expect(await codeOf('https://user:secret@127.0.0.1:1/x.git')).toBe('bad_source');
  expect(await codeOf('ext::sh -c true')).toBe('bad_source');
  expect(await codeOf('--upload-pack=true')).toBe('bad_source');
  expect(readdirSync(dirname(mirror))).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('a repository of another user is refused', async () => {
  const source = repositoryWith({ a: 'a' });
  for (const path of [source, join(source, '.git')]) chownSync(path, 12345, 12345);
  const sync = syncMirror({ mirror: newMirror(), source });
  await expect(sync).rejects.toMatchObject({ code: 'unsafe_ownership' });
});

test('a source that disappears after the first sync is unreachable, and the mirror remains', async () => {
  const source = repositoryWith({ a: 'a' });
  const mirror = newMirror();
  const before = await syncMirror({ mirror, source });
  renameSync(source, `${source}-moved`);
  await expect(syncMirror({ mirror, source })).rejects.toMatchObject({ code: 'unreachable' });
  expect(git(mirror, 'rev-parse', 'main')).toBe(before.heads.get('main'));
  rmSync(`${source}-moved`, { recursive: true });
});

test('a cancelled sync fails with cancelled, and a slow one with timeout', async () => {
  const source = repositoryWith({ a: 'a' });
  const mirror = newMirror();
  const cancelled = syncMirror({ mirror, source, signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  const late = syncMirror({ mirror, source, timeoutMs: 1 });
  await expect(late).rejects.toMatchObject({ code: 'timeout' });
});

test('any other lock is removed once it is older than our longest git process', async () => {
  const origin = repositoryWith({ a: 'a' });
  commitFiles(origin, { a: 'b' });
  const source = join(temporaryFolder(), 'shallow');
  git('/', 'clone', '--quiet', '--depth=1', `file://${origin}`, source);
  const mirror = newMirror();
  await syncMirror({ mirror, source });
  commitFiles(origin, { a: 'c' });
  const head = commitFiles(origin, { a: 'd' });
  git(source, 'fetch', '--quiet', '--depth=1', 'origin', 'main');
  git(source, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
  const lock = join(mirror, 'shallow.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 1, 1);
  expect((await syncMirror({ mirror, source })).heads.get('main')).toBe(head);
});
