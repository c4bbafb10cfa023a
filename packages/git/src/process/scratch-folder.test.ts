import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clearScratchFolders, makeScratchFolder } from './scratch-folder.ts';

test('folders of dead processes are removed, and those of running ones are not', async () => {
  const { pid: dead } = spawnSync('true');
  const left = ['git', 'inspect'].map((purpose) => join(tmpdir(), `fettle-${purpose}-${dead}-abc123`));
  for (const folder of left) mkdirSync(join(folder, 'refs'), { recursive: true });
  const used = await makeScratchFolder('inspect');
  await clearScratchFolders();
  expect([...left, used].map((folder) => existsSync(folder))).toEqual([false, false, true]);
  rmSync(used, { recursive: true });
});
