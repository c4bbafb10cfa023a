/** Reads a package from the npm registry that the operator or the machine's npm names. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createWindowState, type Registry } from '@fettle/registry';
import { z } from 'zod';

/** A tool could not be downloaded. The message is shown to the user. */
export class ToolError extends Error {
  override name = 'ToolError';
}

const maxPackumentBytes = 64_000_000;
const packumentSchema = z.object({ versions: z.record(z.string(), z.unknown()) });
const releaseSchema = z.object({
  dist: z.object({ integrity: z.string().max(1_000), tarball: z.string().max(2_000) }),
});

export interface Packument {
  versions: Record<string, unknown>;
}

export async function readPackument(
  registry: Registry,
  name: string,
  signal: AbortSignal,
): Promise<Packument> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await get(registry, `/${name.replace('/', '%2f')}`, signal)) {
    size += chunk.length;
    if (size > maxPackumentBytes) throw new ToolError(`the list of versions of ${name} is too large`);
    chunks.push(chunk);
  }
  try {
    return packumentSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    throw new ToolError(`the registry returned no list of versions for ${name}`);
  }
}

/** Writes the archive to a file, and fails if it does not have the digest that the registry lists. Returns that digest. */
export async function downloadArchive(
  registry: Registry,
  { name, version, file }: { name: string; version: string; file: string },
  signal: AbortSignal,
): Promise<string> {
  const { versions } = await readPackument(registry, name, signal);
  const release = releaseSchema.safeParse(versions[version]);
  if (!release.success) throw new ToolError(`the registry has no ${name}@${version}`);
  const { integrity, tarball } = release.data.dist;
  const expected = /(?:^|\s)sha512-([A-Za-z0-9+/=]+)/.exec(integrity)?.[1];
  if (expected === undefined) throw new ToolError(`${name}@${version} has no sha512 digest`);
  const body = await get(registry, `/${name}/-/${tarball.slice(tarball.lastIndexOf('/') + 1)}`, signal);
  const hash = createHash('sha512');
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file),
    { signal },
  );
  const found = hash.digest();
  if (found.toString('base64') !== expected)
    throw new ToolError(`${name}@${version} does not have the digest that the registry lists`);
  return found.toString('hex');
}

async function get(registry: Registry, path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  const accept = 'application/vnd.npm.install-v1+json';
  // The address is not used: only the name of the archive is read from the list.
  const window = createWindowState({ npm: 'http://127.0.0.1' });
  const fetch = { fetchId: 0, registry: 'npm', method: 'GET' as const, path, accept };
  const { status, body, reason } = await registry.answer(fetch, window, signal);
  if (status !== 200 || body === undefined) throw new ToolError(reason ?? `status ${status} for ${path}`);
  return toAsync(body);
}

async function* toAsync(body: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield chunk;
}
