import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../fixtures/test-sandbox.ts';
import { countDisk } from './count-disk.ts';

test('counts what the disk loses, not how long files say they are', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'hole'), '');
  truncateSync(join(folder, 'hole'), 10 ** 9);
  const before = await countDisk(folder, 'bytes');
  expect(before.seen).toBeLessThan(10 ** 6);
  for (let n = 0; n < 100; n++) writeFileSync(join(folder, `small${n}`), 'x'.repeat(1000));
  const { seen, isShut } = await countDisk(folder, 'bytes');
  expect(isShut).toBe(false);
  expect(seen - before.seen).toBeGreaterThan(200_000);
});

test('counts files, and nothing where nothing is', async () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'in'));
  for (let n = 0; n < 10; n++) writeFileSync(join(folder, 'in', String(n)), '');
  expect(await countDisk(folder, 'files')).toEqual({ seen: 12, isShut: false });
  expect(await countDisk(join(folder, 'gone'), 'files')).toEqual({ seen: 0, isShut: false });
});
