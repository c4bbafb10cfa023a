import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { chooseGreediest, isLow, readHostDisk } from './host-disk.ts';

const large = { id: 'large', bytes: 9e9, cpuMs: 10 };
const busy = { id: 'busy', bytes: 1e3, cpuMs: 2_000 };

test.each([
  [{ freeBytes: 0.5, freeFiles: 0.5 }, false, undefined],
  [{ freeBytes: 0.04, freeFiles: 0.5 }, true, undefined],
  [{ freeBytes: 0.01, freeFiles: 0.5 }, true, large],
  [{ freeBytes: 0.5, freeFiles: 0.01 }, true, busy],
])('%j', (disk, low, greediest) => {
  expect(isLow(disk)).toBe(low);
  expect(chooseGreediest(disk, [busy, large])).toEqual(greediest);
  expect(chooseGreediest(disk, [])).toBeUndefined();
});

test('reads the file system of a folder, or of the root where there is none', async () => {
  for (const folder of [tmpdir(), '/not/there']) {
    const { freeBytes, freeFiles } = await readHostDisk(folder);
    expect(freeBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThanOrEqual(1);
    expect(freeFiles).toBeLessThanOrEqual(1);
  }
});
