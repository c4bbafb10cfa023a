/**
 * Creates what all bubblewrap sandboxes of a worker share: their parent folder, the runtime, the seccomp filter, and the
 * cache of compiled code, which no sandbox can write to.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../proc/find-program.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { compileSeccomp } from '../../seccomp/compile.ts';
import { seccompProfile } from '../../seccomp/profile.ts';
import { writeOnce } from '../write-once.ts';
import { findVisibleParent } from './arguments.ts';
import { findInotifyLimiter } from './inotify-limits.ts';
import { prepareRuntime, type Runtime, versionOf } from './runtime.ts';

export interface BubblewrapSetup {
  /** The path of bwrap. */
  bwrap: string;
  /** The parent of the sandboxes' folders. */
  folder: string;
  runtime: Runtime;
  seccompFilter: string;
  compileCache: string;
  /** A command prefix that limits the inotify watches of a sandbox. */
  inotifyLimiter: string[];
}

/** `compile` runs a toolbox once with a writable cache, before any untrusted code runs. */
export async function prepareBubblewrap(
  folder: string,
  searchPath: string,
  compile: (setup: BubblewrapSetup) => Promise<void>,
): Promise<BubblewrapSetup> {
  const bwrap = findProgram('bwrap', searchPath);
  if (bwrap === undefined) throw new SandboxError('start_failed', 'bubblewrap (bwrap) is not on the PATH');
  const visible = findVisibleParent(folder);
  if (visible !== undefined) {
    throw new SandboxError(
      'start_failed',
      `${folder} is in ${visible}, which every sandbox can read; move Fettle's home elsewhere`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const runtime = await prepareRuntime(folder);
  const filter = compileSeccomp(seccompProfile, process.arch);
  const filterHash = createHash('sha256').update(filter).digest('hex').slice(0, 12);
  const seccomp = await writeOnce(join(folder, `seccomp-${filterHash}`), (draft) =>
    writeFileSync(join(draft, 'filter'), filter),
  );
  const seccompFilter = join(seccomp, 'filter');
  const setup = { bwrap, folder, runtime, seccompFilter, inotifyLimiter: await findInotifyLimiter() };
  const compileCache = await writeOnce(join(folder, `compile-cache-${versionOf(runtime)}`), async (draft) => {
    await compile({ ...setup, compileCache: draft });
    makeReadableForAll(draft);
  });
  return { ...setup, compileCache };
}

/** Node writes the cache readable for its own user only, but each sandbox has another user. */
function makeReadableForAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
