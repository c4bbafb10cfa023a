import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { CliError } from '../cli-error.ts';
import { openFolder } from '../testing/open-folder.ts';
import { lockHome } from './home-lock.ts';

const holder = fileURLToPath(new URL('../testing/hold-home.ts', import.meta.url));
let home: string;
beforeEach(() => {
  home = openFolder();
});

/** Starts another process that tries to lock the home, and returns its output. */
async function tryElsewhere() {
  const child = spawn(process.execPath, [holder, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said).trim() };
}

function adviceOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as CliError).advice;
  }
  throw new Error('nothing was thrown');
}

test('one of two processes gets the home, and the other error names the owner', async () => {
  const { child, said } = await tryElsewhere();
  expect(said).toBe('locked');
  expect(() => lockHome(home)).toThrow(`in use by process ${child.pid} on ${hostname()}`);
  expect(adviceOf(() => lockHome(home))).not.toContain('remove');
  expect((await tryElsewhere()).said).toBe('home_in_use');
});

test('after kill -9 the next process gets the home, and no files accumulate', async () => {
  const { child } = await tryElsewhere();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = lockHome(home);
  expect(await readdir(join(home, 'run'))).toEqual(['owner.json']);
  lock.release();
  expect(await readdir(join(home, 'run'))).toEqual([]);
});

test('exactly one of many processes replaces a dead owner', async () => {
  const { child } = await tryElsewhere();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const said = await Promise.all(Array.from({ length: 6 }, async () => (await tryElsewhere()).said));
  expect(said.toSorted()).toEqual([...Array(5).fill('home_in_use'), 'locked']);
});

test.each([
  ['whose process id was reused', { pid: process.pid, startTime: '1' }],
  ['that left a broken file', 'half a li'],
])('an owner %s is dead', async (_what, left) => {
  await mkdir(join(home, 'run'));
  const owner = typeof left === 'string' ? left : JSON.stringify({ ...left, host: hostname(), nonce: 'n' });
  await writeFile(join(home, 'run', 'owner.json'), owner);
  lockHome(home).release();
});

test('a process that died while it replaced a dead owner does not block the next', async () => {
  const dead = { pid: process.pid, startTime: '1', host: hostname() };
  await mkdir(join(home, 'run'));
  await writeFile(join(home, 'run', 'owner.json'), JSON.stringify({ ...dead, nonce: 'first' }));
  await writeFile(join(home, 'run', 'owner.json.after.first'), JSON.stringify({ ...dead, nonce: 'second' }));
  lockHome(home).release();
  expect(await readdir(join(home, 'run'))).toEqual([]);
});

test('an owner on another machine counts as alive', async () => {
  await mkdir(join(home, 'run'));
  const owner = { pid: 1, startTime: '1', host: 'elsewhere', nonce: 'n' };
  await writeFile(join(home, 'run', 'owner.json'), JSON.stringify(owner));
  expect(() => lockHome(home)).toThrow('in use by process 1 on elsewhere');
  expect(adviceOf(() => lockHome(home))).toContain('If that process is certainly gone, remove');
});
