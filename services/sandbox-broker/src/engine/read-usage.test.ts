import { expect, test } from 'vitest';
import { joinUsage, toUsage } from './read-usage.ts';

function stats(entries: { op: string; value: number }[] | null) {
  return {
    cpu_stats: { cpu_usage: { total_usage: 5e6 } },
    memory_stats: { usage: 900, stats: { inactive_file: 300 } },
    pids_stats: { current: 3 },
    blkio_stats: { io_service_bytes_recursive: entries },
  };
}
const known = { cpuMs: 5, memoryPeakBytes: 600, pids: 3 };

test.each([
  [
    'by the newer control groups',
    [
      { op: 'read', value: 7 },
      { op: 'write', value: 8 },
    ],
    { ioBytes: 15 },
  ],
  [
    'by the older ones, where the sum is an entry too',
    [
      { op: 'Read', value: 7 },
      { op: 'Total', value: 7 },
    ],
    { ioBytes: 7 },
  ],
  [
    'as none',
    [
      { op: 'Read', value: 0 },
      { op: 'Write', value: 0 },
    ],
    { ioBytes: 0 },
  ],
  ['not at all', [], {}],
  ['not at all, in other words', null, {}],
])('counts I/O %s', (_how, entries, counted) => {
  expect(toUsage(stats(entries))).toEqual({ ...known, ...counted });
});

test('combines two samples by their maximum, and keeps unknown values unknown', () => {
  expect(joinUsage({ ...known, pids: 9, ioBytes: 4 }, known)).toEqual({ ...known, pids: 9, ioBytes: 4 });
  expect(joinUsage(known, { ...known, cpuMs: 6 })).toEqual({ ...known, cpuMs: 6 });
  expect(joinUsage(undefined, known)).toEqual(known);
});
