import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/test-sandbox.ts';
import { countDisk } from './count-disk.ts';

test('counts blocks in use, not the apparent size of files', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'hole'), '');
  truncateSync(join(folder, 'hole'), 10 ** 9);
  const before = await countDisk(folder, 'bytes');
  expect(before.counted).toBeLessThan(10 ** 6);
  for (let n = 0; n < 100; n++) writeFileSync(join(folder, `small${n}`), 'x'.repeat(1000));
  const { counted, hasUnreadable } = await countDisk(folder, 'bytes');
  expect(hasUnreadable).toBe(false);
  expect(counted - before.counted).toBeGreaterThan(200_000);
});

test('counts files, and 0 for a missing folder', async () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'in'));
  for (let n = 0; n < 10; n++) writeFileSync(join(folder, 'in', String(n)), '');
  expect(await countDisk(folder, 'files')).toEqual({ counted: 12, hasUnreadable: false });
  expect(await countDisk(join(folder, 'gone'), 'files')).toEqual({ counted: 0, hasUnreadable: false });
});

test('counts each hard link', async () => {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'one'), '');
  for (let n = 0; n < 10; n++) linkSync(join(folder, 'one'), join(folder, String(n)));
  expect((await countDisk(folder, 'files')).counted).toBe(12);
});

test('finishes when du prints thousands of errors', async () => {
  // In /tmp, because every user must be able to enter it.
  const folder = mkdtempSync('/tmp/complaints-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  for (let n = 0; n < 5000; n++) mkdirSync(join(folder, `${n}-`.padEnd(250, 'x')), { mode: 0 });
  const counted = await asOrdinaryUser(() => countDisk(folder, 'files'));
  expect(counted).toEqual({ counted: 5001, hasUnreadable: true });
});

/** Permissions do not apply to root. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
