import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import { isAlive } from '../process/scratch-folder.ts';
import { type Replacement, replaceFiles } from './replace-files.ts';

export interface TreePack {
  /** The commit in the pack. It is another one than was asked for if files were replaced. */
  commit: string;
  /** How many of the first bytes are the index of the pack. The pack follows. */
  indexBytes: number;
  chunks: AsyncIterable<Buffer>;
}

interface PackTreeOptions {
  /** Files that get other contents in the pack. The mirror does not change. */
  replacements?: readonly Replacement[] | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** Contains the process id, so that a wrong clock cannot remove the pack of a running process. */
const folderPrefix = () => `tree-${process.pid}-`;
const folderName = /^tree-(?:(\d+)-)?\w+$/;
/** Far longer than a pack is used. An older one was left by a killed process. */
const abandonedAfterMs = 3_600_000;

/**
 * Creates a packfile with the commit and its whole tree, without its parents, as a clone of depth one needs it. The
 * index comes with it: git writes it here at no cost, and the receiver would need longer for it than for all the rest.
 */
export async function withTreePack<T>(
  mirror: string,
  commit: string,
  { replacements = [], signal, timeoutMs = 10 * 60_000 }: PackTreeOptions,
  use: (pack: TreePack) => Promise<T>,
): Promise<T> {
  assertObjectId(commit);
  await removeAbandoned(mirror);
  const folder = await mkdtemp(join(mirror, folderPrefix())).catch((error: Error) => {
    throw new GitError('failed', `The folder for a pack could not be created: ${error.message}`);
  });
  try {
    const packed =
      replacements.length === 0
        ? { commit }
        : await replaceFiles({ mirror, commit, folder, signal }, replacements);
    const { stdout } = await runGit({
      gitDir: mirror,
      env: 'env' in packed ? packed.env : undefined,
      // Without --window=0 git looks for new deltas, which takes longer than copying the bytes within this machine.
      args: [
        'pack-objects',
        '--revs',
        '--shallow',
        '--delta-base-offset',
        '--window=0',
        '--quiet',
        join(folder, 'tree'),
      ],
      // The pack is temporary, so it need not reach the disk.
      settings: ['core.fsync=none', 'pack.packSizeLimit=0'],
      input: `--shallow ${packed.commit}\n${packed.commit}\n`,
      signal,
      timeoutMs,
    });
    const path = join(folder, `tree-${stdout.toString('latin1').trim()}`);
    const { size } = await stat(`${path}.idx`);
    return await use({
      commit: packed.commit,
      indexBytes: size,
      chunks: readFiles([`${path}.idx`, `${path}.pack`]),
    });
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
    // The owner may run in another container, where its process id is not visible, so the age decides.
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}
