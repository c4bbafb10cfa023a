/** Responses of registries on disk, shared by all workers of this machine. */
import { createHash } from 'node:crypto';
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type EntryMeta, readEntry, streamEntry, writeEntry } from './entry-file.ts';
import { evict } from './evict.ts';

export interface CacheEntry {
  bodyBytes: number;
  etag: string | undefined;
  /** When the registry last confirmed this response. */
  checkedAtMs: number;
  body(): AsyncGenerator<Buffer>;
}

export interface DiskCache {
  find(key: string): Promise<CacheEntry | undefined>;
  /** Stores nothing when the body ends early. */
  store(key: string, body: AsyncIterable<Uint8Array>, etag: string | undefined): Promise<CacheEntry>;
  remove(key: string): Promise<void>;
  /** Records that the registry still has the same content. */
  confirm(key: string): Promise<void>;
}

export interface DiskCacheOptions {
  folder: string;
  maxBytes: number;
}

/** The size of the cache is checked after this share of the limit has been written. */
const sweepShare = 0.05;

export function createDiskCache({ folder, maxBytes }: DiskCacheOptions): DiskCache {
  const entries = join(folder, 'entries');
  const temporaryFolder = join(folder, 'incoming');
  // The first write of a process checks the size, because earlier processes may have filled the cache.
  let writtenBytes = maxBytes;
  let sweeping: Promise<void> | undefined;

  function pathOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex');
    return join(entries, name.slice(0, 2), name);
  }

  function asEntry(path: string, meta: EntryMeta, checkedAtMs: number): CacheEntry {
    const { bodyBytes, etag } = meta;
    return { bodyBytes, etag, checkedAtMs, body: () => streamEntry(path, meta) };
  }

  async function find(key: string): Promise<CacheEntry | undefined> {
    const path = pathOf(key);
    const meta = await readEntry(path);
    if (meta?.key !== key) {
      await rm(path, { force: true });
      return undefined;
    }
    // The access time of the file is the last use, and the modification time the last confirmation.
    const checkedAt = (await stat(path).catch(() => undefined))?.mtime ?? new Date(0);
    await utimes(path, new Date(), checkedAt).catch(() => {});
    return asEntry(path, meta, checkedAt.getTime());
  }

  async function store(
    key: string,
    body: AsyncIterable<Uint8Array>,
    etag: string | undefined,
  ): Promise<CacheEntry> {
    const path = pathOf(key);
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const meta = { key, ...(etag !== undefined && { etag }) };
    const written = await writeEntry(path, { temporaryFolder, body, meta });
    writtenBytes += written.bodyBytes;
    if (writtenBytes > maxBytes * sweepShare) {
      writtenBytes = 0;
      sweeping ??= evict({ entries, temporaryFolder, maxBytes }).finally(() => {
        sweeping = undefined;
      });
      await sweeping;
    }
    return asEntry(path, written, Date.now());
  }

  return {
    find,
    store,
    remove: (key) => rm(pathOf(key), { force: true }),
    async confirm(key) {
      const now = new Date();
      await utimes(pathOf(key), now, now).catch(() => {});
    },
  };
}
