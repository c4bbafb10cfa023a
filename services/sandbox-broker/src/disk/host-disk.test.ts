import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { chooseLargest, isLow, readHostDisk } from './host-disk.ts';

const large = { id: 'large', bytes: 9e9, cpuMs: 10 };
const busy = { id: 'busy', bytes: 1e3, cpuMs: 2_000 };

test.each([
  [{ freeBytes: 0.5, freeFiles: 0.5 }, false, undefined],
  [{ freeBytes: 0.04, freeFiles: 0.5 }, true, undefined],
  [{ freeBytes: 0.01, freeFiles: 0.5 }, true, large],
  [{ freeBytes: 0.5, freeFiles: 0.01 }, true, busy],
])('%j: is low %s, ends %s', (disk, low, largest) => {
  expect(isLow(disk)).toBe(low);
  expect(chooseLargest(disk, [busy, large])).toEqual(largest);
  expect(chooseLargest(disk, [])).toBeUndefined();
});

test('reads the file system of a folder, or of / if it is missing', async () => {
  for (const folder of [tmpdir(), '/not/there']) {
    const { freeBytes, freeFiles } = await readHostDisk(folder);
    expect(freeBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThanOrEqual(1);
    expect(freeFiles).toBeLessThanOrEqual(1);
  }
});
