import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from '@fettle/contract';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { createCheckCache } from './check-cache.ts';

const check: CheckResult = {
  ...{ name: 'test', command: 'npm test', status: 'failed', exitCode: 1, timedOut: false, durationMs: 12 },
  output: 'red',
  report: { tool: 'jest', passed: 1, failed: 1, skipped: 0, failures: [{ name: 'a', message: 'm' }] },
};

const makeFolder = () => join(openFolder(), 'base-checks');

test('an entry is found by its key only, also by another instance', async () => {
  const folder = makeFolder();
  expect(await createCheckCache(folder).read({ commit: 'a' })).toBeUndefined();
  await createCheckCache(folder).write({ commit: 'a' }, check);
  expect(await createCheckCache(folder).read({ commit: 'a' })).toEqual(check);
  expect(await createCheckCache(folder).read({ commit: 'b' })).toBeUndefined();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
});

test('an entry that is truncated, too large or invalid counts as missing', async () => {
  const folder = makeFolder();
  const cache = createCheckCache(folder);
  await cache.write(1, check);
  const [name = ''] = readdirSync(folder);
  for (const text of ['{"name":', '{}', JSON.stringify({ ...check, output: 'x'.repeat(1_000_001) })]) {
    writeFileSync(join(folder, name), text);
    expect(await cache.read(1)).toBeUndefined();
  }
});

test('the oldest entries are removed', async () => {
  const folder = makeFolder();
  const cache = createCheckCache(folder, { maxFiles: 3 });
  for (let key = 1; key <= 3; key++) {
    await cache.write(key, check);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      utimesSync(path, new Date(), new Date(statSync(path).mtimeMs - 10_000));
    }
  }
  await cache.write(4, check);
  const left = await Promise.all([1, 2, 3, 4].map((key) => cache.read(key)));
  expect(left.map((found) => found !== undefined)).toEqual([false, true, true, true]);
});
