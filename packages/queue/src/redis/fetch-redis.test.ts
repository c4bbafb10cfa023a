import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = join(import.meta.dirname, 'fetch-main.ts');
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fetch-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Runs the set-up step as a process, with a PATH of one folder. */
function fetchFrom(path: string) {
  return execa(process.execPath, [program], { env: { FETTLE_HOME: home, PATH: path }, reject: false });
}

test('without apt, the error says what to do instead', async () => {
  const result = await fetchFrom(join(home, 'bin'));
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain('cannot be fetched without apt-config');
  expect(result.stderr).toContain('set REDIS_URL');
  expect(await readdir(join(home, 'tools'))).toEqual([]);
});

test('a redis-server on the PATH is used', async () => {
  await mkdir(join(home, 'bin'));
  await symlink('/bin/true', join(home, 'bin', 'redis-server'));
  const result = await fetchFrom(join(home, 'bin'));
  expect(result.stdout).toBe(join(home, 'bin', 'redis-server'));
});
