import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/test-sandbox.ts';
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

test('each name of a file is one more to walk over', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'one'), '');
  for (let n = 0; n < 10; n++) linkSync(join(folder, 'one'), join(folder, String(n)));
  expect((await countDisk(folder, 'files')).seen).toBe(12);
});

test('more complaints than anybody wants to read are not too many files', async () => {
  // Every user must be able to get there.
  const folder = mkdtempSync('/tmp/complaints-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  for (let n = 0; n < 5000; n++) mkdirSync(join(folder, `${n}-`.padEnd(250, 'x')), { mode: 0 });
  const counted = await asOrdinaryUser(() => countDisk(folder, 'files'));
  expect(counted).toEqual({ seen: 5001, isShut: true });
});

/** Root would not be refused. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
