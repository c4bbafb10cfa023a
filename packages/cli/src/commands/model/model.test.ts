import { chmod, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle, runFettleWithInput } from '../../testing/run-fettle.ts';

const key = 'sk-a-key-for-this-test';
let home: string;
beforeEach(() => {
  home = openFolder();
});

const login = (input: string, ...args: string[]) =>
  runFettleWithInput(['model', 'login', ...args], input, { FETTLE_HOME: home });
const fettle = (args: string[], settings: Record<string, string> = {}) =>
  runFettle(args, { FETTLE_HOME: home, ...settings });
const status = async (settings: Record<string, string> = {}) =>
  JSON.parse((await fettle(['model', 'status', '--json'], settings)).stdout).keys;

test('a key is stored for its user only, is never printed, and can be removed', async () => {
  const { exitCode, stdout, stderr } = await login(`${key}\n`);
  const path = join(home, 'model-keys', 'anthropic');
  expect([exitCode, stderr, stdout]).toEqual([0, '', expect.stringContaining(`stored in ${path}`)]);
  expect(stdout).not.toContain(key);
  expect(await readFile(path, 'utf8')).toBe(`${key}\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await status()).toEqual([
    { service: 'anthropic', source: 'stored', path, exposed: false },
    { service: 'openai', source: 'none' },
  ]);
  expect((await fettle(['model', 'logout'])).exitCode).toBe(0);
  expect(await fettle(['model', 'logout'])).toMatchObject({
    exitCode: 6,
    stdout: 'no Anthropic key was stored\n',
  });
});

test('a key in the environment wins, and login says so', async () => {
  await login(key, '--service', 'openai');
  expect(await status({ OPENAI_API_KEY: 'another-key' })).toContainEqual({
    service: 'openai',
    source: 'environment',
  });
  const { stdout } = await runFettleWithInput(['model', 'login', '--json'], key, {
    FETTLE_HOME: home,
    ANTHROPIC_API_KEY: 'another-key',
  });
  expect(JSON.parse(stdout)).toMatchObject({ service: 'anthropic', used: false });
});

test('doctor accepts a stored key, and warns if others can read it', async () => {
  const find = async () => {
    const { findings } = JSON.parse(
      (await fettle(['doctor', '--json'], { FETTLE_SANDBOX: 'process' })).stdout,
    );
    return findings.find(({ name }: { name: string }) => name === 'model key');
  };
  await login(key);
  expect(await find()).toMatchObject({ state: 'ok', message: expect.stringContaining('stored in') });
  await chmod(join(home, 'model-keys', 'anthropic'), 0o644);
  expect(await find()).toMatchObject({ state: 'warning', advice: expect.stringContaining('chmod 600') });
});

test.each(['', '  \n', 'short', 'two words in it', `${key}\nand a second line`, 'x'.repeat(2_000)])(
  'what is no key is refused and not repeated: %j',
  async (input) => {
    const { exitCode, stdout, stderr } = await login(input);
    expect([exitCode, stdout]).toEqual([2, '']);
    if (input.trim() !== '') expect(stderr).not.toContain(input.trim());
    expect(await status()).toMatchObject([{ source: 'none' }, { source: 'none' }]);
  },
);

test('a home that cannot be written is explained', async () => {
  const FETTLE_HOME = join(openFolder({ file: '' }), 'file', 'x');
  expect(await runFettleWithInput(['model', 'login'], key, { FETTLE_HOME })).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('cannot be written: part of the path is a file'),
  });
});

test('a folder for keys that is open to others is closed, and one that is a link is refused', async () => {
  const folder = join(home, 'model-keys');
  await mkdir(folder);
  await chmod(folder, 0o777);
  expect((await login(key)).exitCode).toBe(0);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);

  home = openFolder();
  const elsewhere = openFolder();
  await symlink(elsewhere, join(home, 'model-keys'));
  const refused = await login(key);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is a symbolic link') });
  expect(await readdir(elsewhere)).toEqual([]);
});
