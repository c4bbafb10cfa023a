import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIgnoreFiles, syncMirror, withTreePack } from '@fettle/git';
import type { Sandbox } from '@fettle/sandbox';
import { usageError } from '../../cli-error.ts';

/** Copies the default branch into the sandbox the same way as the worker: from a mirror, as raw blobs. */
export async function bringRepository(sandbox: Sandbox, source: string, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-exec-'));
  try {
    const mirror = join(folder, 'mirror.git');
    const { heads, defaultBranch = '' } = await syncMirror({ mirror, source, signal });
    const commit = heads.get(defaultBranch);
    if (commit === undefined) throw usageError(`${source} has no commit yet.`);
    const baseIgnores = await readIgnoreFiles(mirror, commit);
    await withTreePack(mirror, commit, { signal }, (pack) =>
      sandbox.receiveTree({ pack, commit, branch: defaultBranch, baseIgnores }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
