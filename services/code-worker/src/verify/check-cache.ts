/** Caches the results of checks in a folder: the same command on the same commit returns the same result. */
import { createHash } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckResult, checkResultSchema } from '@fettle/contract';
import { replaceFile } from './replace-file.ts';

const maxBytes = 1_000_000;

export interface CheckCache {
  read(key: unknown): Promise<CheckResult | undefined>;
  write(key: unknown, check: CheckResult): Promise<void>;
}

export function createCheckCache(folder: string, { maxFiles = 500 } = {}): CheckCache {
  const pathOf = (key: unknown) =>
    join(folder, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
  return {
    async read(key) {
      const text = await readBounded(pathOf(key));
      return text === undefined ? undefined : parse(text);
    },
    async write(key, check) {
      await replaceFile(pathOf(key), JSON.stringify(check));
      await removeOldest(folder, maxFiles);
    },
  };
}

async function readBounded(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    return size > maxBytes ? undefined : await file.readFile('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** An invalid entry counts as missing. */
function parse(text: string): CheckResult | undefined {
  try {
    return checkResultSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Also removes the drafts of killed workers, once they are old enough. */
async function removeOldest(folder: string, maxFiles: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= maxFiles) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another worker may have removed the file.
      const at = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { path, at };
    }),
  );
  const oldest = files.toSorted((a, b) => a.at - b.at).slice(0, files.length - maxFiles);
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })));
}
