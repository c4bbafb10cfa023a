import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectRefusal, startTestSandbox, startWithTree } from '../src/testing/test-sandbox.ts';

async function startWithFiles() {
  const started = await startTestSandbox();
  const { workspace } = started;
  mkdirSync(join(workspace, 'dir/deep'), { recursive: true });
  mkdirSync(join(workspace, '.git'));
  writeFileSync(join(workspace, '.git/config'), 'config');
  writeFileSync(join(workspace, 'dir/a.txt'), '0123456789');
  writeFileSync(join(workspace, 'tool'), 'x', { mode: 0o755 });
  symlinkSync('dir', join(workspace, 'inside'));
  symlinkSync(join(workspace, 'dir/a.txt'), join(workspace, 'absolute-inside'));
  symlinkSync('..', join(workspace, 'outside'));
  symlinkSync('/etc/passwd', join(workspace, 'dir/passwd'));
  symlinkSync('loop', join(workspace, 'loop'));
  spawnSync('mkfifo', [join(workspace, 'pipe')]);
  return started;
}

it('reads whole files and parts, also through links inside the workspace', async () => {
  const { sandbox } = await startWithFiles();
  const whole = { bytes: Buffer.from('0123456789'), size: 10, executable: false };
  expect(await sandbox.readFile('dir/a.txt')).toEqual(whole);
  expect(await sandbox.readFile('inside/a.txt')).toEqual(whole);
  expect(await sandbox.readFile('absolute-inside')).toEqual(whole);
  expect(await sandbox.readFile('dir/a.txt', { offset: 4, maxBytes: 3 })).toEqual({
    ...whole,
    bytes: Buffer.from('456'),
  });
  expect(await sandbox.readFile('dir/a.txt', { offset: 99 })).toEqual({ ...whole, bytes: Buffer.alloc(0) });
  expect(await sandbox.readFile('tool')).toMatchObject({ executable: true });
  expect(await sandbox.statFile('inside')).toMatchObject({ kind: 'symlink' });
  expect(await sandbox.statFile('inside/a.txt')).toEqual({ kind: 'file', size: 10, executable: false });
});

it('refuses to read outside of the workspace', async () => {
  const { sandbox } = await startWithFiles();
  for (const path of ['absent', 'tool/x']) await expectRefusal(sandbox.readFile(path), 'not_found');
  await expectRefusal(sandbox.readFile('dir'), 'is_directory');
  await expectRefusal(sandbox.readFile('pipe'), 'not_regular');
  await expectRefusal(sandbox.readFile('dir/a.txt', { maxBytes: 9 }), 'too_large', /10 bytes.*limit is 9/);
  for (const path of ['/etc/passwd', 'dir/../../home/x', 'outside/home', 'dir/passwd'])
    await expectRefusal(sandbox.readFile(path), 'outside');
  await expectRefusal(sandbox.readFile('loop'), 'denied', /loop/);
  await expectRefusal(sandbox.statFile('absent'), 'not_found');
});

it('writes files with their folders, and keeps their mode', async () => {
  const { sandbox, workspace } = await startWithFiles();
  await sandbox.writeFile('new/folder/ü.txt', Buffer.from('text'));
  expect(readFileSync(join(workspace, 'new/folder/ü.txt'), 'utf8')).toBe('text');
  await sandbox.writeFile('tool', Buffer.from('y'));
  expect(lstatSync(join(workspace, 'tool')).mode & 0o777).toBe(0o755);
  await sandbox.writeFile('tool', Buffer.from('y'), { executable: false });
  expect(lstatSync(join(workspace, 'tool')).mode & 0o777).toBe(0o644);
  await sandbox.writeFile('script', Buffer.alloc(0), { executable: true });
  expect(lstatSync(join(workspace, 'script')).mode & 0o777).toBe(0o755);
  const large = Buffer.alloc(5_000_000, 'large');
  await sandbox.writeFile('large', large);
  expect((await sandbox.readFile('large', { maxBytes: 5_000_000 })).bytes.equals(large)).toBe(true);
  expect(readdirSync(workspace).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  await sandbox.deleteFile('large');
  await sandbox.deleteFile('dir/passwd');
  await expectRefusal(sandbox.statFile('large'), 'not_found');
  expect(readFileSync('/etc/passwd').length).toBeGreaterThan(0);
});

it('refuses to write through links, to folders and to .git', async () => {
  const { sandbox, workspace } = await startWithFiles();
  const refused = {
    outside: ['/tmp/x', '../x'],
    denied: [
      ...['inside/x', 'outside/x', 'dir/passwd', 'absolute-inside'],
      ...['.git/config', '.git', '.GIT/config', 'dir/.git/hooks/x'],
    ],
    is_directory: ['dir', '.'],
    not_regular: ['pipe'],
  };
  for (const code of Object.keys(refused) as (keyof typeof refused)[])
    for (const path of refused[code]) await expectRefusal(sandbox.writeFile(path, Buffer.from('x')), code);
  for (const path of ['.git/config', 'inside/a.txt']) await expectRefusal(sandbox.deleteFile(path), 'denied');
  await expectRefusal(sandbox.deleteFile('dir'), 'is_directory');
  await expectRefusal(sandbox.deleteFile('absent'), 'not_found');
  await expectRefusal(sandbox.writeFile('x', Buffer.alloc(40_000_000)), 'too_large');
  expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe('config');
});

it('lists folders and finds files', async () => {
  const { sandbox, workspace } = await startWithTree({
    files: { '.gitignore': 'node_modules\n', 'src/a.ts': 'a', 'src/.hidden/b.ts': 'bb', 'readme.md': '' },
  });
  mkdirSync(join(workspace, 'node_modules/x'), { recursive: true });
  writeFileSync(join(workspace, 'node_modules/x/c.ts'), '');
  expect(await sandbox.listDirectory('.')).toEqual({
    entries: [
      { path: '.gitignore', kind: 'file' },
      { path: 'node_modules', kind: 'directory' },
      { path: 'readme.md', kind: 'file' },
      { path: 'src', kind: 'directory' },
    ],
    total: 4,
    truncated: false,
  });
  const deep = await sandbox.listDirectory('', { recursive: 3, maxEntries: 6 });
  expect(deep.entries.map(({ path }) => path)).toEqual([
    ...['.gitignore', 'node_modules', 'readme.md', 'src', 'src/.hidden', 'src/a.ts'],
  ]);
  expect(deep).toMatchObject({ total: 7, truncated: true });
  expect((await sandbox.listDirectory('node_modules/x')).entries).toEqual([
    { path: 'node_modules/x/c.ts', kind: 'file' },
  ]);
  await expectRefusal(sandbox.listDirectory('readme.md'), 'not_directory');
  await expectRefusal(sandbox.listDirectory('absent'), 'not_found');
  expect(await sandbox.findFiles('*.ts')).toEqual({
    paths: ['src/.hidden/b.ts', 'src/a.ts'],
    total: 2,
    truncated: false,
  });
  expect(await sandbox.findFiles('src/**', { maxResults: 1 })).toEqual({
    paths: ['src/.hidden/b.ts'],
    total: 2,
    truncated: true,
  });
  await expectRefusal(sandbox.findFiles(''), 'bad_pattern');
});

it('serves several requests at once', async () => {
  const { sandbox } = await startWithFiles();
  const sizes = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await sandbox.writeFile(`many/${index}`, Buffer.alloc(index * 10_000, 'x'));
      return (await sandbox.readFile(`many/${index}`)).size;
    }),
  );
  expect(sizes).toEqual(Array.from({ length: 50 }, (_, index) => index * 10_000));
});
