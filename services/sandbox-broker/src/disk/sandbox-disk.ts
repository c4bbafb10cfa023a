/** Counts what one sandbox stores in its volume, if this process can read it. Deleted files that are still open do not count. */
import { createDiskAudit, type DiskAudit } from '@fettle/sandbox';
import type { BrokerSandbox } from '../sandboxes/sandbox.ts';
import { findVolume } from './find-volume.ts';

/** Growth, as a share of the limit, that triggers a count. All sandboxes of an engine share one file system. */
const growthShare = 0.1;

export interface SandboxDisk {
  /** Records the free space, before any command runs inside. */
  begin(): void;
  /** Starts a check unless one is running. Does not wait, so that a slow count does not delay other sandboxes. */
  check(): void;
  /** The last count. Undefined where this process cannot read the volume. */
  bytes(): number | undefined;
  /** Whether this process turned out to be unable to read the volume. */
  isUnreadable(): boolean;
  stop(): void;
}

export interface SandboxDiskOptions {
  maxDiskBytes: number;
  onExceeded: (excess: string) => void;
  onError: (error: unknown) => void;
}

export function createSandboxDisk(sandbox: BrokerSandbox, options: SandboxDiskOptions): SandboxDisk {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { maxDiskBytes: diskBytes } = options;
  let opening: Promise<DiskAudit | undefined> | undefined;
  let audit: DiskAudit | undefined;
  let isUnreadable = false;
  let isChecking = false;

  async function open(): Promise<DiskAudit | undefined> {
    await sandbox.starting;
    const { container } = sandbox;
    const folder = container && (await findVolume(container));
    isUnreadable = folder === undefined;
    const worthCountingBytes = diskBytes * growthShare;
    if (folder !== undefined)
      audit = createDiskAudit({ folder, initPid: undefined, diskBytes, worthCountingBytes, signal });
    return audit;
  }

  function begin(): void {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
  }

  async function checkOnce(): Promise<void> {
    if (isUnreadable || sandbox.ending !== undefined) return;
    begin();
    const excess = await (await opening)?.check();
    if (excess !== undefined && !signal.aborted) options.onExceeded(excess);
  }

  return {
    begin,
    check() {
      if (isChecking) return;
      isChecking = true;
      checkOnce()
        // The files of a sandbox that is being removed disappear during the check.
        .catch((error) => sandbox.ending === undefined && options.onError(error))
        .finally(() => {
          isChecking = false;
        });
    },
    bytes: () => audit?.bytes(),
    isUnreadable: () => isUnreadable,
    stop: () => stopping.abort(),
  };
}
