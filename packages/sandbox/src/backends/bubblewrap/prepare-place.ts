// What every bubblewrap sandbox of a worker shares, made once: the folder they live in, what they see of Fettle, the
// seccomp filter, and the cache of compiled code, which no sandbox can write to.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../proc/find-program.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { compileSeccomp } from '../../seccomp/compile.ts';
import { seccompProfile } from '../../seccomp/profile.ts';
import { writeOnce } from '../write-once.ts';
import { findShownAround } from './arguments.ts';
import { shareWatches } from './inotify-limits.ts';
import { prepareRuntime, type Runtime, versionOf } from './runtime.ts';

export interface BubblewrapPlace {
  bwrap: string;
  folder: string;
  runtime: Runtime;
  seccompFilter: string;
  compileCache: string;
  /** What bwrap is started by, so that a sandbox gets no more than its share of what is counted by user. */
  shareWatches: string[];
}

/** `compile` runs a toolbox once with a cache that it may write to, before anything foreign is there. */
export async function prepareBubblewrap(
  folder: string,
  searchPath: string,
  compile: (place: BubblewrapPlace) => Promise<void>,
): Promise<BubblewrapPlace> {
  const bwrap = findProgram('bwrap', searchPath);
  if (bwrap === undefined) throw new SandboxError('start_failed', 'bubblewrap (bwrap) is not on the PATH');
  const shown = findShownAround(folder);
  if (shown !== undefined) {
    throw new SandboxError(
      'start_failed',
      `${folder} is in ${shown}, which every sandbox can read: Fettle's home must be elsewhere`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const runtime = await prepareRuntime(folder);
  const filter = compileSeccomp(seccompProfile, process.arch);
  const filterMark = createHash('sha256').update(filter).digest('hex').slice(0, 12);
  const seccomp = await writeOnce(join(folder, `seccomp-${filterMark}`), (draft) =>
    writeFileSync(join(draft, 'filter'), filter),
  );
  const seccompFilter = join(seccomp, 'filter');
  const place = { bwrap, folder, runtime, seccompFilter, shareWatches: shareWatches() };
  const compileCache = await writeOnce(join(folder, `compile-cache-${versionOf(runtime)}`), async (draft) => {
    await compile({ ...place, compileCache: draft });
    shareWithAll(draft);
  });
  return { ...place, compileCache };
}

/** Node writes it for its own user alone; other sandboxes are other users. */
function shareWithAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
