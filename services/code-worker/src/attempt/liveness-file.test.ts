import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { startLivenessFile } from './liveness-file.ts';

test('the file is touched while the probe succeeds, and not while it fails or hangs', async () => {
  const path = join(openFolder(), 'alive');
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
