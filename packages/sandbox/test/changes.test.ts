import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Changes } from '../src/host/sandbox.ts';
import { expectRefusal, startWithTree } from '../src/testing/test-sandbox.ts';

/** One line per change, which is easier to compare than buffers. */
function summarize({ changes }: Changes): string[] {
  return changes.map(
    ({ path, kind, executable, bytes }) =>
      `${kind}${executable ? '*' : ''} ${path} ${bytes.toString('utf8')}`,
  );
}

it('returns modified, added, deleted and executable files, once', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c/d.txt': 'd\n', 'mode.sh': 'x\n', 'same.txt': 's\n' },
  });
  writeFileSync(join(workspace, 'a.txt'), 'changed\n');
  rmSync(join(workspace, 'b.txt'));
  rmSync(join(workspace, 'c'), { recursive: true });
  chmodSync(join(workspace, 'mode.sh'), 0o755);
  writeFileSync(join(workspace, 'same.txt'), 's\n');
  mkdirSync(join(workspace, 'new dir'));
  writeFileSync(join(workspace, 'new dir/ü\n.txt'), 'new\n');
  symlinkSync('../a.txt', join(workspace, 'new dir/link'));
  expect(summarize(await sandbox.changes())).toEqual([
    'file a.txt changed\n',
    'deleted b.txt ',
    'deleted c/d.txt ',
    'file* mode.sh x\n',
    'symlink new dir/link ../a.txt',
    'file new dir/ü\n.txt new\n',
  ]);
  expect(summarize(await sandbox.changes())).toEqual([]);
  rmSync(join(workspace, 'new dir/link'));
  writeFileSync(join(workspace, 'b.txt'), 'again\n');
  expect(summarize(await sandbox.changes())).toEqual(['file b.txt again\n', 'deleted new dir/link ']);
});

it('sees an edit of the same size right after the checkout and right after a handout', async () => {
  const { sandbox, workspace } = await startWithTree({ files: { 'a.txt': 'aaaa' } });
  for (let round = 0; round < 20; round += 1) {
    const content = String(1000 + round);
    writeFileSync(join(workspace, 'a.txt'), content);
    expect(summarize(await sandbox.changes())).toEqual([`file a.txt ${content}`]);
  }
});

it('uses the ignore rules of the base commit, not those of the workspace', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: {
      '.gitignore': '*.log\nbuild/\n!keep.log\n',
      'sub/.gitignore': '!inner.log\n/local\n',
      'build/tracked.txt': 'tracked\n',
      'tracked.log': 'tracked\n',
    },
  });
  for (const folder of ['build/deep', 'sub/x', 'node_modules'])
    mkdirSync(join(workspace, folder), { recursive: true });
  for (const path of ['a.log', 'keep.log', 'build/deep/x', 'sub/inner.log', 'sub/other.log', 'sub/local'])
    writeFileSync(join(workspace, path), '');
  writeFileSync(join(workspace, 'sub/x/local'), '');
  writeFileSync(join(workspace, '.gitignore'), '*\n');
  writeFileSync(join(workspace, 'node_modules/x'), '');
  writeFileSync(join(workspace, 'build/tracked.txt'), 'changed\n');
  rmSync(join(workspace, 'tracked.log'));
  expect(summarize(await sandbox.changes())).toEqual([
    'file .gitignore *\n',
    'file build/tracked.txt changed\n',
    'file keep.log ',
    'file node_modules/x ',
    'file sub/inner.log ',
    'file sub/x/local ',
    'deleted tracked.log ',
  ]);
});

it('refuses unsafe files with a reason', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: { 'dir/a.txt': 'a\n', 'tracked/b.txt': 'b\n' },
  });
  symlinkSync('/etc/passwd', join(workspace, 'absolute'));
  symlinkSync('../../outside', join(workspace, 'dir/climbing'));
  symlinkSync('a/../../..', join(workspace, 'winding'));
  symlinkSync('.git/config', join(workspace, 'into-git'));
  symlinkSync('dir/here/.git/config', join(workspace, 'into-git-by-a-link'));
  symlinkSync('../tracked', join(workspace, 'dir/fine'));
  mkdirSync(join(workspace, 'nested/.git'), { recursive: true });
  writeFileSync(join(workspace, 'nested/file'), '');
  mkdirSync(join(workspace, 'tracked/.GIT'));
  spawnSync('mkfifo', [join(workspace, 'pipe')]);
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/bad-`), Buffer.from([0xff])]), '');
  const handedOut = await sandbox.changes();
  expect(summarize(handedOut)).toEqual(['symlink dir/fine ../tracked']);
  expect(handedOut.refusedCount).toBe(9);
  expect(Object.fromEntries(handedOut.refused.map(({ path, reason }) => [path, reason]))).toEqual({
    absolute: expect.stringContaining('absolute'),
    'dir/climbing': expect.stringContaining('leave'),
    winding: expect.stringContaining('leave'),
    'into-git': expect.stringContaining("git's own"),
    'into-git-by-a-link': expect.stringContaining("git's own"),
    nested: expect.stringContaining('nested repository'),
    'tracked/.GIT': expect.stringContaining('equivalent to .git'),
    pipe: expect.stringContaining('fifo'),
    'bad-\ufffd': expect.stringContaining('UTF-8'),
  });
});

it('does not follow a link that replaced a folder', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: { 'dir/a.txt': 'a\n', 'other/a.txt': 'secret\n' },
  });
  rmSync(join(workspace, 'dir'), { recursive: true });
  symlinkSync('other', join(workspace, 'dir'));
  expect(summarize(await sandbox.changes())).toEqual(['symlink dir other', 'deleted dir/a.txt ']);
});

it('checks only the given paths', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: { '.gitignore': 'ignored\n', 'a.txt': 'a', 'b.txt': 'b' },
  });
  for (const path of ['a.txt', 'b.txt', 'new.txt', 'ignored'])
    writeFileSync(join(workspace, path), 'changed');
  const paths = ['a.txt', 'new.txt', 'ignored', 'absent', '.git/config', '../x'];
  const named = await sandbox.changes({ paths });
  expect(summarize(named)).toEqual(['file a.txt changed', 'file new.txt changed']);
  expect(named.refused.map(({ path }) => path)).toEqual(['.git/config', '../x']);
  expect(summarize(await sandbox.changes())).toEqual(['file b.txt changed']);
});

it('refuses too many or too large changes, names the largest, and keeps them for the next call', async () => {
  const { sandbox, workspace } = await startWithTree({ files: { 'a.txt': 'a' } });
  writeFileSync(join(workspace, 'big.bin'), Buffer.alloc(3_000_000, 7));
  for (const name of ['x', 'y']) writeFileSync(join(workspace, name), name);
  const reason = /3 changed files.*"big.bin" \(3000000\)/;
  await expectRefusal(sandbox.changes({ maxFiles: 2 }), 'too_many_changes', reason);
  await expectRefusal(sandbox.changes({ maxBytes: 1000 }), 'too_many_changes');
  const { changes } = await sandbox.changes();
  expect(changes.map(({ path, size }) => [path, size])).toEqual([
    ['big.bin', 3_000_000],
    ['x', 1],
    ['y', 1],
  ]);
  expect(changes[0]?.bytes.equals(Buffer.alloc(3_000_000, 7))).toBe(true);
});

it('sends unconfirmed changes again', async () => {
  const { sandbox, workspace } = await startWithTree({ files: { 'a.txt': 'a' } });
  writeFileSync(join(workspace, 'big.bin'), Buffer.alloc(20_000_000, 7));
  const given = new AbortController();
  const first = sandbox.changes({ signal: given.signal });
  given.abort();
  await expectRefusal(first, 'cancelled');
  expect((await sandbox.changes()).changes.map(({ path }) => path)).toEqual(['big.bin']);
  expect((await sandbox.changes()).changes).toEqual([]);
});

it('adopts the files of set-up, and returns only later changes', async () => {
  const { sandbox, workspace } = await startWithTree({ files: { 'a.txt': 'a\n', 'lock.json': '{}\n' } });
  writeFileSync(join(workspace, 'lock.json'), '{"by":"set-up"}\n');
  writeFileSync(join(workspace, 'generated.txt'), 'set-up\n');
  await sandbox.adoptChanges();
  expect(summarize(await sandbox.changes())).toEqual([]);
  writeFileSync(join(workspace, 'generated.txt'), 'agent\n');
  rmSync(join(workspace, 'a.txt'));
  expect(summarize(await sandbox.changes())).toEqual(['deleted a.txt ', 'file generated.txt agent\n']);
});

it('stays responsive and can be cancelled while it reads gigabytes', async () => {
  const { sandbox, workspace } = await startWithTree({ files: { 'a.txt': 'a' } });
  const big = join(workspace, 'big');
  writeFileSync(big, '');
  // A sparse file.
  truncateSync(big, 8 * 1024 ** 3);
  const stop = new AbortController();
  const adopting = sandbox.adoptChanges({ signal: stop.signal }).then(
    () => 'adopted',
    ({ code }) => code,
  );
  expect(await Promise.race([adopting, sandbox.statFile('a.txt')])).toMatchObject({ kind: 'file' });
  stop.abort();
  expect(await adopting).toBe('cancelled');
});

it('reports an unreadable file neither as deleted nor as changed', async ({ skip }) => {
  const { sandbox } = await startWithTree({ files: { 'src/deep/a.txt': 'a\n', 'b.txt': 'b\n' } });
  skip(sandbox.backend === 'process' && process.getuid?.() === 0, 'nothing is closed to root');
  await sandbox.run({ command: 'echo changed > b.txt; chmod 000 src' });
  const closed = await sandbox.changes();
  expect(summarize(closed)).toEqual(['file b.txt changed\n']);
  expect(closed.refused.map(({ path }) => path)).toEqual(['src', 'src/deep/a.txt']);
  await sandbox.run({ command: 'chmod 700 src; rm -r src' });
  expect(summarize(await sandbox.changes())).toEqual(['deleted src/deep/a.txt ']);
});

it('lists as many refusals as fit', async () => {
  const { sandbox } = await startWithTree({ files: { 'a.txt': 'a\n' } });
  const name = "$(printf '%250s' | tr ' ' '\\001')";
  const folder = `"${[name, name, name].join('"/"')}"`;
  await sandbox.run({ command: `mkdir -p ${folder}; cd ${folder}; for n in $(seq 220); do mkfifo $n; done` });
  const { refused, refusedCount } = await sandbox.changes();
  expect(refusedCount).toBe(220);
  expect(refused.length).toBeLessThan(200);
});
