// One file for each entry: the body, then what is known of it, then the length of that. Written beside its place and
// renamed into it, so that a reader in any process sees a whole entry or none.
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const metaSchema = z.object({
  /** The whole address, so that no two can be taken for each other. */
  key: z.string(),
  bodyBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  etag: z.string().optional(),
});
export type EntryMeta = z.infer<typeof metaSchema>;

const LENGTH_BYTES = 4;
const MAX_META_BYTES = 16 * 1024;
const CHUNK_BYTES = 256 * 1024;

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
    const whole: EntryMeta = { ...meta, bodyBytes, sha256: hash.digest('hex') };
    const known = Buffer.from(JSON.stringify(whole));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(known.length);
    await handle.appendFile(Buffer.concat([known, length]));
    await handle.close();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    return whole;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Undefined when there is none, and when what is there is not what was written. */
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

/** Fails where another body has taken its place since: half of each would be worse. */
export async function* streamEntry(path: string, expected: EntryMeta): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  try {
    const meta = await readMeta(handle);
    if (meta?.sha256 !== expected.sha256) throw new Error('a cache entry was replaced while it was used');
    yield* readBody(handle, meta.bodyBytes);
  } finally {
    await handle.close();
  }
}

async function readMeta(handle: FileHandle): Promise<EntryMeta | undefined> {
  const { size } = await handle.stat();
  if (size < LENGTH_BYTES) return undefined;
  const length = (await readAt(handle, size - LENGTH_BYTES, LENGTH_BYTES)).readUInt32BE(0);
  const bodyBytes = size - LENGTH_BYTES - length;
  if (length > MAX_META_BYTES || bodyBytes < 0) return undefined;
  const text = (await readAt(handle, bodyBytes, length)).toString('utf8');
  const parsed = metaSchema.safeParse(parseJson(text));
  return parsed.success && parsed.data.bodyBytes === bodyBytes ? parsed.data : undefined;
}

async function* readBody(handle: FileHandle, bodyBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bodyBytes; at += CHUNK_BYTES) {
    yield await readAt(handle, at, Math.min(CHUNK_BYTES, bodyBytes - at));
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead !== length) throw new Error('a cache entry is shorter than it was');
  return buffer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
