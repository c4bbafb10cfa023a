/** Ends sandboxes that use too much disk where the engine has no quotas, or too many files, which no engine limits. */
import type { Log } from '@fettle/log';
import { createCountPace } from '@fettle/sandbox';
import type { Engine } from '../engine/connect-engine.ts';
import type { BrokerSandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { type Consumer, chooseLargest, readHostDisk } from './host-disk.ts';
import { readVolumeSizes } from './read-volume-sizes.ts';
import { createSandboxDisk, type SandboxDisk } from './sandbox-disk.ts';

const growthShare = 0.1;
const minPauseMs = 2_000;

export interface DiskWatchOptions {
  engine: Engine;
  engineFolder: string;
  sandboxes: Sandboxes;
  maxDiskBytes: number;
  diskQuota: boolean;
  log: Log;
}

export interface DiskWatch {
  /** Call this for a new sandbox, before untrusted code runs in it. */
  begin(sandbox: BrokerSandbox): void;
  /** Call this periodically. */
  check(): Promise<void>;
}

export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { engine, sandboxes, maxDiskBytes, diskQuota, log } = options;
  const disks = new Map<string, SandboxDisk>();
  let volumeSizes = new Map<string, number>();
  const startPace = () => createCountPace({ growth: growthShare * maxDiskBytes, minPauseMs });
  let pace = startPace();
  let unreadableBefore = '';

  /** Asks the engine for the sizes of volumes that this process cannot read. */
  async function refreshVolumeSizes(usedBytes: number, unreadable: string[]): Promise<void> {
    // The long pause after a slow count must not protect sandboxes that start later.
    if (unreadable.join() !== unreadableBefore) pace = startPace();
    unreadableBefore = unreadable.join();
    if (unreadable.length === 0) return;
    volumeSizes = (await pace.count(usedBytes, () => readVolumeSizes(engine))) ?? volumeSizes;
  }

  async function end(id: string, details: Record<string, unknown>): Promise<void> {
    log.warn({ sandbox: id, maxDiskBytes, ...details }, 'a sandbox exceeded its disk limit');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }

  function diskOf(sandbox: BrokerSandbox): SandboxDisk {
    const known = disks.get(sandbox.id);
    if (known !== undefined) return known;
    const disk = createSandboxDisk(sandbox, {
      maxDiskBytes,
      onExceeded: (excess) => void end(sandbox.id, { excess }),
      onError: (error) =>
        log.warn({ err: error, sandbox: sandbox.id }, 'the disk usage of a sandbox could not be checked'),
    });
    disks.set(sandbox.id, disk);
    return disk;
  }

  async function check(): Promise<void> {
    const living = sandboxes.list().filter(({ container }) => container !== undefined);
    const ids = living.map(({ id }) => id);
    for (const [id, disk] of disks) {
      if (ids.includes(id)) continue;
      disk.stop();
      disks.delete(id);
    }
    if (living.length === 0) return;
    for (const sandbox of living) diskOf(sandbox).check();
    const hostDisk = await readHostDisk(options.engineFolder);
    const unreadable = ids.filter((id) => disks.get(id)?.isUnreadable());
    if (!diskQuota) await refreshVolumeSizes(hostDisk.usedBytes, unreadable);
    const consumers = living.map(({ id, recentCpuMs }): Consumer => {
      const bytes = disks.get(id)?.bytes() ?? volumeSizes.get(id) ?? 0;
      return { id, bytes, cpuMs: recentCpuMs };
    });
    const tooLarge = consumers.filter(({ id, bytes }) => unreadable.includes(id) && bytes > maxDiskBytes);
    for (const { id, bytes } of tooLarge) await end(id, { bytes, disk: hostDisk });
    const largest = tooLarge.length === 0 ? chooseLargest(hostDisk, consumers) : undefined;
    if (largest !== undefined) await end(largest.id, { bytes: largest.bytes, disk: hostDisk });
  }

  return { check, begin: (sandbox) => diskOf(sandbox).begin() };
}
