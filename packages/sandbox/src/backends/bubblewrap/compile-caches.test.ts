import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBackend } from '../../choose-backend.ts';
import { findProgram } from '../../proc/find-program.ts';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { clearOldCaches, markUsed } from './compile-caches.ts';

const searchPath = process.env.PATH ?? '';
const longAgo = new Date(Date.now() - 25 * 3600 * 1000);

test('removes only caches that have not been used for a day', async () => {
  const folder = makeTemporaryFolder();
  const [used, old] = ['compile-cache-aaaaaaaaaaaa', 'compile-cache-bbbbbbbbbbbb'];
  const draft = 'compile-cache-cccccccccccc.17';
  for (const name of [used, old, draft, 'etc']) {
    mkdirSync(join(folder, name));
    utimesSync(join(folder, name), longAgo, longAgo);
  }
  expect(markUsed(join(folder, used))).toBe(true);
  await clearOldCaches(folder);
  expect(readdirSync(folder).toSorted()).toEqual([used, 'etc']);
  expect(markUsed(join(folder, old))).toBe(false);
});

test.skipIf(findProgram('bwrap', searchPath) === undefined)(
  'a start touches its cache, and recreates a missing one',
  async () => {
    const folder = makeTemporaryFolder();
    const backend = await openBackend('bubblewrap', { folder, searchPath });
    const [name = ''] = readdirSync(folder).filter((each) => each.startsWith('compile-cache-'));
    const cache = join(folder, name);
    utimesSync(cache, longAgo, longAgo);
    await (await backend.start()).close();
    expect(Date.now() - statSync(cache).mtimeMs).toBeLessThan(3600 * 1000);
    rmSync(cache, { recursive: true });
    await (await backend.start()).close();
    expect(readdirSync(cache)).not.toEqual([]);
  },
);
