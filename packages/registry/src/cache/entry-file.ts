/**
 * One file per entry: the body, its metadata as JSON, and the length of the metadata. Written under a temporary name
 * and renamed, so that a reader in any process sees a complete entry or none.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const metaSchema = z.object({
  /** The full address, so that a hash collision is noticed. */
  key: z.string(),
  bodyBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  etag: z.string().optional(),
});
export type EntryMeta = z.infer<typeof metaSchema>;

const lengthBytes = 4;
const maxMetaBytes = 16 * 1024;
const chunkBytes = 256 * 1024;

export interface WriteOptions {
  temporaryFolder: string;
  body: AsyncIterable<Uint8Array>;
  meta: Omit<EntryMeta, 'bodyBytes' | 'sha256'>;
}

export async function writeEntry(
  path: string,
  { temporaryFolder, body, meta }: WriteOptions,
): Promise<EntryMeta> {
  const temporary = join(temporaryFolder, randomBytes(12).toString('hex'));
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bodyBytes = 0;
    for await (const chunk of body) {
      hash.update(chunk);
      bodyBytes += chunk.length;
      await handle.appendFile(chunk);
    }
    const complete: EntryMeta = { ...meta, bodyBytes, sha256: hash.digest('hex') };
    const known = Buffer.from(JSON.stringify(complete));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(known.length);
    await handle.appendFile(Buffer.concat([known, length]));
    await handle.close();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    return complete;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Undefined when there is no entry, and when it is damaged. */
export async function readEntry(path: string): Promise<EntryMeta | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const meta = await readMeta(handle);
    if (meta === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of readBody(handle, meta.bodyBytes)) hash.update(chunk);
    return hash.digest('hex') === meta.sha256 ? meta : undefined;
  } finally {
    await handle.close();
  }
}

/** Fails when the entry was replaced in the meantime, instead of mixing the two bodies. */
export async function* streamEntry(path: string, expected: EntryMeta): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    const meta = await readMeta(handle);
    if (meta?.sha256 !== expected.sha256) throw new Error('a cache entry was replaced while it was read');
    yield* readBody(handle, meta.bodyBytes);
  } finally {
    await handle.close();
  }
}

async function readMeta(handle: FileHandle): Promise<EntryMeta | undefined> {
  const { size } = await handle.stat();
  if (size < lengthBytes) return undefined;
  const length = (await readAt(handle, size - lengthBytes, lengthBytes)).readUInt32BE(0);
  const bodyBytes = size - lengthBytes - length;
  if (length > maxMetaBytes || bodyBytes < 0) return undefined;
  const text = (await readAt(handle, bodyBytes, length)).toString('utf8');
  const parsed = metaSchema.safeParse(parseJson(text));
  return parsed.success && parsed.data.bodyBytes === bodyBytes ? parsed.data : undefined;
}

async function* readBody(handle: FileHandle, bodyBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bodyBytes; at += chunkBytes) {
    yield await readAt(handle, at, Math.min(chunkBytes, bodyBytes - at));
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead !== length) throw new Error('a cache entry was truncated while it was read');
  return buffer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
