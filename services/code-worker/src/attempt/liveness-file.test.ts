import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startLivenessFile } from './liveness-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'liveness-file-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the file is touched while the probe succeeds, and not while it fails or hangs', async () => {
  const path = join(folder, 'alive');
  const age = () => Date.now() - statSync(path).mtimeMs;
  let probe = async () => {};
  const liveness = startLivenessFile({ path, probe: () => probe(), intervalMs: 10 });
  await expect.poll(() => existsSync(path)).toBe(true);
  const first = statSync(path).mtimeMs;
  await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(first);

  probe = () => Promise.reject(new Error('unreachable'));
  await sleep(200);
  expect(age()).toBeGreaterThan(100);
  probe = async () => {};
  await expect.poll(age).toBeLessThan(100);
  probe = () => new Promise(() => {});
  await sleep(200);
  expect(age()).toBeGreaterThan(100);
  liveness.stop();
});
