// Sandboxes that take more disk than they may, where the engine cannot limit it; and more files, which no engine limits.
import type { Log } from '@fettle/log';
import { createCountPace } from '@fettle/sandbox';
import type { Engine } from '../engine/connect-engine.ts';
import type { BrokerSandbox } from '../sandboxes/sandbox.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { type Consumer, chooseGreediest, readHostDisk } from './host-disk.ts';
import { readVolumeSizes } from './read-volume-sizes.ts';
import { createDiskLooker, type DiskLooker } from './sandbox-disk.ts';

const growthShare = 0.1;
const minPauseMs = 2_000;

export interface DiskWatching {
  engine: Engine;
  engineFolder: string;
  sandboxes: Sandboxes;
  maxDiskBytes: number;
  diskQuota: boolean;
  log: Log;
}

export interface DiskWatch {
  /** For a sandbox that was just started, in which nothing foreign runs yet. */
  begin(sandbox: BrokerSandbox): void;
  /** To be taken again and again. */
  look(): Promise<void>;
}

export function createDiskWatch(options: DiskWatching): DiskWatch {
  const { engine, sandboxes, maxDiskBytes, diskQuota, log } = options;
  const lookers = new Map<string, DiskLooker>();
  let sizes = new Map<string, number>();
  const startPace = () =>
    createCountPace({ growth: growthShare * maxDiskBytes, shortestPauseMs: minPauseMs });
  let pace = startPace();
  let unseenBefore = '';
  let wasUnseen = false;

  /** For those that cannot be looked into. */
  async function askForSizes(usedBytes: number, unseen: string[]): Promise<void> {
    // One that takes long to count must not spare those that come after it.
    if (unseen.join() !== unseenBefore) pace = startPace();
    unseenBefore = unseen.join();
    if (unseen.length === 0) return;
    sizes = (await pace.count(usedBytes, () => readVolumeSizes(engine))) ?? sizes;
  }

  async function end(id: string, details: Record<string, unknown>): Promise<void> {
    log.warn({ sandbox: id, maxDiskBytes, ...details }, 'a sandbox takes more disk than it may');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }

  function lookerFor(sandbox: BrokerSandbox): DiskLooker {
    const known = lookers.get(sandbox.id);
    if (known !== undefined) return known;
    const looker = createDiskLooker(sandbox, {
      maxDiskBytes,
      onExceeded: (excess) => void end(sandbox.id, { excess }),
      onUnseen(what) {
        if (!wasUnseen) log.warn({ what }, 'this broker cannot see all that sandboxes take of the disk');
        wasUnseen = true;
      },
      onError: (error) => log.warn({ err: error, sandbox: sandbox.id }, 'a sandbox could not be looked into'),
    });
    lookers.set(sandbox.id, looker);
    return looker;
  }

  async function look(): Promise<void> {
    const living = sandboxes.list().filter(({ container }) => container !== undefined);
    const ids = living.map(({ id }) => id);
    for (const [id, looker] of lookers) {
      if (ids.includes(id)) continue;
      looker.stop();
      lookers.delete(id);
    }
    if (living.length === 0) return;
    for (const sandbox of living) lookerFor(sandbox).look();
    const disk = await readHostDisk(options.engineFolder);
    const unseen = ids.filter((id) => lookers.get(id)?.isBlind());
    if (!diskQuota) await askForSizes(disk.usedBytes, unseen);
    const consumers = living.map(({ id, cpuMsLately }): Consumer => {
      const bytes = lookers.get(id)?.bytes() ?? sizes.get(id) ?? 0;
      return { id, bytes, cpuMs: cpuMsLately };
    });
    const tooLarge = consumers.filter(({ id, bytes }) => unseen.includes(id) && bytes > maxDiskBytes);
    for (const { id, bytes } of tooLarge) await end(id, { bytes, disk });
    const greediest = tooLarge.length === 0 ? chooseGreediest(disk, consumers) : undefined;
    if (greediest !== undefined) await end(greediest.id, { bytes: greediest.bytes, disk });
  }

  return { look, begin: (sandbox) => lookerFor(sandbox).begin() };
}
