import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBackend } from '../../choose-backend.ts';
import { findProgram } from '../../proc/find-program.ts';
import { makeTemporaryFolder } from '../../testing/test-sandbox.ts';
import { clearOldCaches, markUsed } from './compile-caches.ts';

const searchPath = process.env.PATH ?? '';
const longAgo = new Date(Date.now() - 25 * 3600 * 1000);

test('only what nobody has used for long is cleared away', async () => {
  const place = makeTemporaryFolder();
  const [used, old, draft] = [
    'compile-cache-aaaaaaaaaaaa',
    'compile-cache-bbbbbbbbbbbb',
    'compile-cache-cccccccccccc.17',
  ];
  for (const name of [used, old, draft, 'etc']) {
    mkdirSync(join(place, name));
    utimesSync(join(place, name), longAgo, longAgo);
  }
  expect(markUsed(join(place, used))).toBe(true);
  await clearOldCaches(place);
  expect(readdirSync(place).toSorted()).toEqual([used, 'etc']);
  expect(markUsed(join(place, old))).toBe(false);
});

test.skipIf(findProgram('bwrap', searchPath) === undefined)(
  'a start marks its cache, and makes it again where it is gone',
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
