import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { isAlive } from '../process/is-alive.ts';
import { assertObjectId } from '../process/names.ts';

export interface TreePack {
  /** So many of the first bytes are the pack's index; the pack itself follows. */
  indexBytes: number;
  chunks: AsyncIterable<Buffer>;
}

interface PackTreeOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** Its name says whose it is: a clock that is wrong must not take a pack from a living process. */
const folderPrefix = () => `tree-${process.pid}-`;
const folderName = /^tree-(?:(\d+)-)?\w+$/;
/** Far longer than any pack is used; what is older was left by a process that was killed. */
const abandonedAfterMs = 3_600_000;

/**
 * A packfile with that commit and its whole tree, without its parents: what a clone of depth one needs. It comes
 * with its index, which costs nothing here and would take whoever receives it longer than all the rest.
 */
export async function withTreePack<T>(
  mirror: string,
  commit: string,
  { signal, timeoutMs = 10 * 60_000 }: PackTreeOptions,
  use: (pack: TreePack) => Promise<T>,
): Promise<T> {
  assertObjectId(commit);
  await removeAbandoned(mirror);
  const folder = await mkdtemp(join(mirror, folderPrefix())).catch((error: Error) => {
    throw new GitError('failed', `There is no place for a pack: ${error.message}`);
  });
  try {
    const { stdout } = await runGit({
      gitDir: mirror,
      // Looking for new deltas costs more than the bytes it saves on this machine.
      args: [
        'pack-objects',
        '--revs',
        '--shallow',
        '--delta-base-offset',
        '--window=0',
        '--quiet',
        join(folder, 'tree'),
      ],
      // It is gone in a moment, so the disk need not be waited for.
      settings: ['core.fsync=none', 'pack.packSizeLimit=0'],
      input: `--shallow ${commit}\n${commit}\n`,
      signal,
      timeoutMs,
    });
    const path = join(folder, `tree-${stdout.toString('latin1').trim()}`);
    const { size } = await stat(`${path}.idx`);
    return await use({ indexBytes: size, chunks: readFiles([`${path}.idx`, `${path}.pack`]) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* readFiles(paths: string[]): AsyncGenerator<Buffer, void, undefined> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: 256 * 1024 });
}

async function removeAbandoned(mirror: string): Promise<void> {
  for (const name of await readdir(mirror).catch(() => [])) {
    const [isFolder, owner] = folderName.exec(name) ?? [];
    if (isFolder === undefined || (owner !== undefined && isAlive(Number(owner)))) continue;
    const path = join(mirror, name);
    const found = await stat(path).catch(() => undefined);
    // Processes of other containers are not to be seen from here: only time tells that they are gone.
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}
