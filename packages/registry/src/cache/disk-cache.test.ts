import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { type CacheEntry, createDiskCache } from './disk-cache.ts';

async function* bodyOf(...pieces: (string | Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}

async function textOf(entry: CacheEntry | undefined): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  return Buffer.concat(await Array.fromAsync(entry.body())).toString('utf8');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('returns a stored entry, in another process too', async () => {
  const folder = openFolder();
  const cache = createDiskCache({ folder, maxBytes: 1_000_000 });
  await cache.store('a', bodyOf('one', 'two'), '"tag"');
  await cache.store('empty', bodyOf(), undefined);
  const other = createDiskCache({ folder, maxBytes: 1_000_000 });
  expect(await other.find('a')).toMatchObject({ bodyBytes: 6, etag: '"tag"' });
  expect(await textOf(await other.find('a'))).toBe('onetwo');
  expect(await textOf(await other.find('empty'))).toBe('');
  expect(await other.find('b')).toBeUndefined();
});

test('a body that ends early is not stored, and the old entry remains', async () => {
  const folder = openFolder();
  const cache = createDiskCache({ folder, maxBytes: 1_000_000 });
  await expect(cache.store('a', bodyOf('half', new Error('cut')), undefined)).rejects.toThrow('cut');
  expect(listFiles(folder)).toEqual([]);
  await cache.store('a', bodyOf('whole'), undefined);
  await expect(cache.store('a', bodyOf('half', new Error('cut')), undefined)).rejects.toThrow('cut');
  expect(await textOf(await cache.find('a'))).toBe('whole');
});

test.each([
  ['a flipped byte', (bytes: Buffer) => Buffer.concat([Buffer.from('X'), bytes.subarray(1)])],
  ['a cut file', (bytes: Buffer) => bytes.subarray(0, bytes.length - 3)],
  ['an empty file', () => Buffer.alloc(0)],
  ['anything else', () => Buffer.from('0123456789'.repeat(10))],
])('does not give out %s', async (_what, damage) => {
  const folder = openFolder();
  const cache = createDiskCache({ folder, maxBytes: 1_000_000 });
  await cache.store('a', bodyOf('content of some length'), undefined);
  const [file = ''] = listFiles(folder);
  writeFileSync(file, damage(readFileSync(file)));
  expect(await cache.find('a')).toBeUndefined();
  expect(listFiles(folder)).toEqual([]);
});

test('evicts the least recently used entries', async () => {
  const folder = openFolder();
  const cache = createDiskCache({ folder, maxBytes: 100_000 });
  const body = Buffer.alloc(9_000);
  for (let n = 0; n < 9; n++) {
    await cache.store(`entry ${n}`, bodyOf(body), undefined);
    for (const file of listFiles(folder)) age(file, 60);
  }
  await cache.find('entry 0');
  for (let n = 9; n < 14; n++) await cache.store(`entry ${n}`, bodyOf(body), undefined);
  const total = listFiles(folder).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(total).toBeLessThanOrEqual(100_000);
  expect(await cache.find('entry 0')).toBeDefined();
  expect(await cache.find('entry 13')).toBeDefined();
  expect(await cache.find('entry 1')).toBeUndefined();
});

function age(file: string, seconds: number): void {
  const { atimeMs, mtimeMs } = statSync(file);
  utimesSync(file, atimeMs / 1000 - seconds, mtimeMs / 1000);
}

test('concurrent writers and readers see complete entries', async () => {
  const folder = openFolder();
  const caches = [1, 2, 3, 4].map(() => createDiskCache({ folder, maxBytes: 10_000_000 }));
  const texts = caches.map((_, n) => String(n).repeat(300_000 + n));
  const rounds = caches.flatMap((cache, n) =>
    Array.from({ length: 10 }, async () => {
      await cache.store('shared', bodyOf(texts[n] ?? ''), undefined);
      const entry = await cache.find('shared');
      const text = await textOf(entry).catch((error: Error) => error.message);
      expect([...texts, 'a cache entry was replaced while it was read']).toContain(text);
    }),
  );
  await Promise.all(rounds);
  expect(listFiles(folder)).toHaveLength(1);
});
