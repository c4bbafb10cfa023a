import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countHandles, findHandleFaults } from './handles.ts';
import type { Stage } from './stage.ts';

test('a worker whose open files grow is detected', () => {
  const self = { workers: new Map([['worker-1', { pid: process.pid }]]) } as unknown as Stage;
  const before = countHandles(self);
  expect(findHandleFaults(before, countHandles(self))).toEqual([]);
  const opened = Array.from({ length: 30 }, () => openSync('/dev/null', 'r'));
  const after = countHandles(self);
  for (const fd of opened) closeSync(fd);
  expect(findHandleFaults(before, after)).toEqual([
    expect.stringMatching(/^worker-1 \(\d+\) has \d+ files open/),
  ]);
});
