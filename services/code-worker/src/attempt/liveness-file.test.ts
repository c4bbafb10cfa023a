import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startSignOfLife } from './liveness-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sign-of-life-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the file is renewed while answers come, and no longer', async () => {
  const path = join(folder, 'alive');
  const age = () => Date.now() - statSync(path).mtimeMs;
  let answers = async () => {};
  const sign = startSignOfLife({ path, answers: () => answers(), everyMs: 10 });
  await expect.poll(() => existsSync(path)).toBe(true);
  const first = statSync(path).mtimeMs;
  await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(first);

  answers = () => Promise.reject(new Error('away'));
  await sleep(200);
  expect(age()).toBeGreaterThan(100);
  answers = async () => {};
  await expect.poll(age).toBeLessThan(100);
  answers = () => new Promise(() => {});
  await sleep(200);
  expect(age()).toBeGreaterThan(100);
  sign.stop();
});
