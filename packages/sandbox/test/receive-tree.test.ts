import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  git,
  makeLargeRepository,
  makeRepository,
  packFrom,
  packObjects,
  packOf,
} from '../src/testing/repository.ts';
import { expectRefusal, startTestSandbox, startWithTree } from '../src/testing/test-sandbox.ts';

async function startWithRepository(files: Record<string, string> = {}) {
  const started = await startTestSandbox();
  const repository = join(started.folder, 'repository');
  makeRepository(repository, files);
  return { ...started, repository };
}

it('creates a clone with raw blobs', async () => {
  const files = {
    '.gitattributes':
      '*.txt text eol=crlf\n*.bin filter=lfs diff=lfs\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n',
    'unix.txt': 'one\ntwo\n',
    'model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    'stamp.id': '$Id$\n',
    'wide.u16': 'plain\n',
    'with space/and\nnewline.txt': 'x\n',
    'ünïcödé/日本.txt': 'y\n',
    'tool.sh': { content: '#!/bin/sh\n', executable: true },
    link: { link: 'unix.txt' },
    'zero.dat': { content: Buffer.from([0, 255, 13, 10]) },
  };
  const { sandbox, workspace, commit } = await startWithTree({ files });
  const texts = Object.entries(files).filter(([, content]) => typeof content === 'string');
  for (const [path, text] of texts) expect(readFileSync(join(workspace, path), 'utf8'), path).toBe(text);
  expect(readFileSync(join(workspace, 'zero.dat'))).toEqual(Buffer.from([0, 255, 13, 10]));
  expect(lstatSync(join(workspace, 'tool.sh')).mode & 0o111).not.toBe(0);
  expect(lstatSync(join(workspace, 'unix.txt')).mode & 0o111).toBe(0);
  expect(readlinkSync(join(workspace, 'link'))).toBe('unix.txt');
  expect(await sandbox.changes()).toEqual({ changes: [], refused: [], refusedCount: 0 });
  const status = await sandbox.run({
    command: 'git status --porcelain && git log --format=%H && git branch --show-current',
  });
  expect(status).toMatchObject({ exitCode: 0, output: `${commit}\nmain\n` });
  const committed = await sandbox.run({
    command: 'echo x > new && git add new && git commit -qm note && git log -1 --format=%an:%ae',
  });
  expect(committed).toMatchObject({ exitCode: 0, output: 'Fettle:fettle@localhost\n' });
});

it('leaves a submodule as an empty folder', async () => {
  const { sandbox, workspace, repository } = await startWithRepository({ 'a.txt': 'a\n' });
  git(repository, ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/module`]);
  git(repository, ['commit', '--quiet', '--message=module']);
  const commit = git(repository, ['rev-parse', 'HEAD']);
  const pack = packOf(repository, commit);
  await sandbox.receiveTree({ pack, commit, branch: 'work/one', baseIgnores: [] });
  expect(readdirSync(join(workspace, 'vendor/module'))).toEqual([]);
  expect(await sandbox.changes()).toEqual({ changes: [], refused: [], refusedCount: 0 });
  await sandbox.run({ command: 'echo x > vendor/module/file' });
  expect(await sandbox.changes()).toMatchObject({ changes: [], refused: [{ path: 'vendor/module' }] });
});

it.each([
  ['.git/config', '040000 tree NESTED\t.git\0', '100644 blob BLOB\tz\0'],
  ['..', '040000 tree NESTED\t..\0', '100644 blob BLOB\tz\0'],
  ['.GIT', '040000 tree NESTED\t.GIT\0', '100644 blob BLOB\tz\0'],
  ['a link that is also a folder', '120000 blob BLOB\ta\0', '040000 tree NESTED\ta\0'],
])('refuses a hostile tree: %s', async (_, ...entries) => {
  const { sandbox, repository } = await startWithRepository();
  const blob = git(repository, ['hash-object', '-w', '--stdin'], '/etc');
  const nested = git(repository, ['mktree', '-z'], `100644 blob ${blob}\tconfig\0`);
  const tree = writeTree(repository, entries.join('').replace('BLOB', blob).replace('NESTED', nested));
  const commit = git(repository, ['commit-tree', tree, '-m', 'hostile']);
  const pack = packObjects(repository, [blob, nested, tree, commit].join('\n'));
  await expectRefusal(sandbox.receiveTree({ pack, commit, branch: 'main', baseIgnores: [] }), 'tree_refused');
});

/** Written by hand, because `git mktree` refuses some of these. */
function writeTree(repository: string, lines: string): string {
  const entries = lines
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [mode = '', , rest = ''] = line.split(' ');
      const [id = '', name = ''] = rest.split('\t');
      return Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(id, 'hex')]);
    });
  return git(
    repository,
    ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'],
    Buffer.concat(entries),
  );
}

it('refuses a broken pack, a wrong commit, a bad branch and a second tree', async () => {
  const junk = () => packFrom(Buffer.from('no index'), Buffer.from('no pack'));
  const tree = { commit: '1'.repeat(40), branch: 'main', baseIgnores: [] };
  const { sandbox } = await startTestSandbox();
  const unnamed = { ...tree, pack: junk(), commit: 'HEAD' };
  await expectRefusal(sandbox.receiveTree(unnamed), 'bad_request', /commit id/);
  await expectRefusal(sandbox.receiveTree({ ...tree, pack: junk() }), 'tree_refused', /index/);
  await expectRefusal(sandbox.receiveTree({ ...tree, pack: junk() }), 'bad_request', /already received/);
  const { sandbox: other } = await startTestSandbox();
  const cutOff = { ...tree, pack: { ...junk(), indexBytes: 1_000 } };
  const { sandbox: third } = await startTestSandbox();
  await expectRefusal(third.receiveTree(cutOff), 'tree_refused', /bytes of the pack's index/);
  await expectRefusal(other.receiveTree({ ...tree, pack: junk(), branch: '../x' }), 'bad_request', /branch/);
});

it('receives 20,000 files, and finds one change among them', { timeout: 300_000 }, async () => {
  const { sandbox, folder } = await startTestSandbox();
  const repository = join(folder, 'repository');
  const commit = makeLargeRepository(repository, 20_000);
  const pack = packOf(repository, commit);
  expect(await sandbox.receiveTree({ pack, commit, branch: 'main', baseIgnores: [] })).toEqual({
    files: 20_000,
  });
  expect((await sandbox.changes()).changes).toEqual([]);
  await sandbox.writeFile('d1/s1/f1.ts', Buffer.from('changed'));
  expect((await sandbox.changes()).changes.map(({ path }) => path)).toEqual(['d1/s1/f1.ts']);
});

it('ignores files whose names are not UTF-8', async () => {
  const { sandbox, repository } = await startWithRepository();
  const blob = git(repository, ['hash-object', '-w', '--stdin'], 'a');
  const entry = (name: Buffer) =>
    Buffer.concat([Buffer.from('100644 '), name, Buffer.from([0]), Buffer.from(blob, 'hex')]);
  const names = [Buffer.from([0xe8]), Buffer.from([0xe9]), Buffer.from('ü')].toSorted(Buffer.compare);
  const tree = git(
    repository,
    ['hash-object', '-t', 'tree', '-w', '--stdin'],
    Buffer.concat(names.map(entry)),
  );
  const commit = git(repository, ['commit-tree', tree, '-m', 'odd']);
  const pack = packOf(repository, commit);
  expect(await sandbox.receiveTree({ pack, commit, branch: 'main', baseIgnores: [] })).toEqual({ files: 1 });
  expect(await sandbox.changes()).toMatchObject({ changes: [], refusedCount: 0 });
  await sandbox.run({
    command: 'printf x > "$(printf \'\\350\')"; printf x > "$(printf \'new\\352\')"; printf x > ü',
  });
  const { changes, refused } = await sandbox.changes();
  expect([changes.map(({ path }) => path), refused.length]).toEqual([['ü'], 1]);
});

it('refuses excessive ignore rules', async () => {
  const { sandbox } = await startTestSandbox();
  const baseIgnores = [{ path: '.gitignore', content: 'node_modules\n'.repeat(50_000) }];
  const pack = packFrom(Buffer.alloc(0), Buffer.alloc(0));
  const tree = { commit: '1'.repeat(40), branch: 'main', baseIgnores, pack };
  await expectRefusal(sandbox.receiveTree(tree), 'tree_refused', /\.gitignore/);
});
