/** Rewrites the lockfiles of a sandbox. The worker holds them in memory, so their size is limited: each, together, and over all installs. */
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { ByteBudget } from '../byte-budget.ts';

/** Real lockfiles stay below ten million bytes. */
export const maxLockfileBytes = 16_000_000;
const maxTotalBytes = 64_000_000;
const maxLockfiles = 500;
/** For all calls to the sandbox together. Time spent waiting for the byte budget does not count. */
const deadlineMs = 60_000;

/** The lockfiles of a repository are too many or too large. The message is shown to the caller of the install. */
export class LockfilesRefused extends Error {
  override name = 'LockfilesRefused';
}

export interface LockfilePlace {
  sandbox: Sandbox;
  /** Bounds the bytes of lockfiles in memory, over all installs. */
  budget: ByteBudget;
}

/** Returns the new content, or undefined if it would be too large. */
export type ChangeLockfile = (bytes: Buffer, path: string) => Promise<Buffer | undefined>;

/** Changes all lockfiles that it can, then throws the first refusal. */
export async function changeLockfiles(
  { sandbox, budget }: LockfilePlace,
  glob: string,
  change: ChangeLockfile,
): Promise<void> {
  const ask = withDeadline(deadlineMs);
  const { paths, truncated } = await sandbox.findFiles(glob, { maxResults: 4 * maxLockfiles });
  const own = paths.filter((path) => !path.split('/').includes('node_modules'));
  let refusal: LockfilesRefused | undefined;
  let left = maxTotalBytes;

  async function changeOne(path: string): Promise<void> {
    const found = await ask(path, (timeoutMs) => sandbox.statFile(path, { timeoutMs }));
    if (found?.kind !== 'file') return;
    const { size } = found;
    if (size > maxLockfileBytes) throw tooLarge(path);
    left -= size;
    if (left < 0) throw new LockfilesRefused(`the lockfiles have more than ${maxTotalBytes} bytes together`);
    await budget.hold(size, async () => {
      const file = await ask(path, (timeoutMs) => sandbox.readFile(path, { maxBytes: size, timeoutMs }));
      if (file === undefined) return;
      const changed = await change(file.bytes, path);
      if (changed === undefined) throw tooLarge(path);
      if (changed === file.bytes) return;
      await ask(path, (timeoutMs) => sandbox.writeFile(path, changed, { timeoutMs }));
    });
  }

  for (const path of own.slice(0, maxLockfiles)) {
    await changeOne(path).catch((error: unknown) => {
      if (!(error instanceof LockfilesRefused)) throw error;
      refusal ??= error;
    });
  }
  if (refusal !== undefined) throw refusal;
  if (truncated || own.length > maxLockfiles) {
    throw new LockfilesRefused(`there are more than ${maxLockfiles} lockfiles`);
  }
}

/** Calls the sandbox for one file. Returns undefined for a missing file. All calls share one deadline. */
function withDeadline(totalMs: number) {
  let leftMs = totalMs;
  return async <T>(path: string, call: (timeoutMs: number) => Promise<T>): Promise<T | undefined> => {
    const started = performance.now();
    try {
      return await call(Math.max(1, Math.ceil(leftMs)));
    } catch (error) {
      if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
      if (error.code === 'not_found') return undefined;
      throw new LockfilesRefused(`the lockfile ${show(path)} cannot be rewritten: ${error.message}`);
    } finally {
      leftMs -= performance.now() - started;
    }
  };
}

function tooLarge(path: string): LockfilesRefused {
  return new LockfilesRefused(`the lockfile ${show(path)} has more than ${maxLockfileBytes} bytes`);
}

const show = (path: string) => JSON.stringify(path.slice(-200));
