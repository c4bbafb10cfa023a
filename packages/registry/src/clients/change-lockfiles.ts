// Lockfiles are read and written by the worker, which is everybody's: bounded one by one, together and over all installs.
import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { ByteBudget } from '../byte-budget.ts';

/** Real ones stay below ten million. */
export const LOCKFILE_BYTES = 16_000_000;
const ALL_BYTES = 64_000_000;
const MAX_LOCKFILES = 500;
/** For everything that the sandbox is asked for; what waits for others does not count. */
const PATIENCE_MS = 60_000;

/** A repository whose lockfiles are too much for us; the message is for whoever asked for the install. */
export class LockfilesRefused extends Error {
  override name = 'LockfilesRefused';
}

export interface LockfilePlace {
  sandbox: Sandbox;
  /** For what is held of lockfiles at any time, by all installs together. */
  budget: ByteBudget;
}

/** Gives the bytes as they shall be; nothing where they would be too many. */
export type ChangeLockfile = (bytes: Buffer, path: string) => Promise<Buffer | undefined>;

/** Changes what it may, and ends with the first refusal, if there was one. */
export async function changeLockfiles(
  { sandbox, budget }: LockfilePlace,
  glob: string,
  change: ChangeLockfile,
): Promise<void> {
  const ask = createPatience(PATIENCE_MS);
  const { paths, truncated } = await sandbox.findFiles(glob, { maxResults: 4 * MAX_LOCKFILES });
  const own = paths.filter((path) => !path.split('/').includes('node_modules'));
  let refusal: LockfilesRefused | undefined;
  let left = ALL_BYTES;

  async function changeOne(path: string): Promise<void> {
    const found = await ask(path, (timeoutMs) => sandbox.statFile(path, { timeoutMs }));
    if (found?.kind !== 'file') return;
    const { size } = found;
    if (size > LOCKFILE_BYTES) throw tooLarge(path);
    left -= size;
    if (left < 0) throw new LockfilesRefused(`the lockfiles together have more than ${ALL_BYTES} bytes`);
    await budget.hold(size, async () => {
      const file = await ask(path, (timeoutMs) => sandbox.readFile(path, { maxBytes: size, timeoutMs }));
      if (file === undefined) return;
      const changed = await change(file.bytes, path);
      if (changed === undefined) throw tooLarge(path);
      if (changed === file.bytes) return;
      await ask(path, (timeoutMs) => sandbox.writeFile(path, changed, { timeoutMs }));
    });
  }

  for (const path of own.slice(0, MAX_LOCKFILES)) {
    await changeOne(path).catch((error: unknown) => {
      if (!(error instanceof LockfilesRefused)) throw error;
      refusal ??= error;
    });
  }
  if (refusal !== undefined) throw refusal;
  if (truncated || own.length > MAX_LOCKFILES) {
    throw new LockfilesRefused(`there are more than ${MAX_LOCKFILES} lockfiles`);
  }
}

/** Asks a sandbox about one file: undefined when it is gone. All calls together have so much time. */
function createPatience(patienceMs: number) {
  let leftMs = patienceMs;
  return async <T>(path: string, call: (timeoutMs: number) => Promise<T>): Promise<T | undefined> => {
    const started = performance.now();
    try {
      return await call(Math.max(1, Math.ceil(leftMs)));
    } catch (error) {
      if (!(error instanceof SandboxError) || error.endsSandbox) throw error;
      if (error.code === 'not_found') return undefined;
      throw new LockfilesRefused(`the lockfile ${show(path)} cannot be adapted: ${error.message}`);
    } finally {
      leftMs -= performance.now() - started;
    }
  };
}

function tooLarge(path: string): LockfilesRefused {
  return new LockfilesRefused(`the lockfile ${show(path)} has more than ${LOCKFILE_BYTES} bytes`);
}

const show = (path: string) => JSON.stringify(path.slice(-200));
