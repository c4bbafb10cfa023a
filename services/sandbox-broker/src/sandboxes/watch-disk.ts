// Sandboxes that take more disk than they may, where the engine cannot limit it.
import type { Log } from '@fettle/log';
import { createCountPace } from '@fettle/sandbox';
import type { Engine } from '../engine/connect-engine.ts';
import { readVolumeSizes } from '../engine/read-volume-sizes.ts';
import { type Consumer, chooseGreediest, type HostDisk, readHostDisk } from './host-disk.ts';
import type { Sandboxes } from './sandboxes.ts';

const GROWTH_SHARE = 0.1;
const SHORTEST_PAUSE_MS = 2_000;

export interface DiskWatching {
  engine: Engine;
  engineFolder: string;
  sandboxes: Sandboxes;
  maxDiskBytes: number;
  diskQuota: boolean;
  log: Log;
}

/** Gives a look at the disk, to be taken again and again. */
export function createDiskWatch(options: DiskWatching): () => Promise<void> {
  const { engine, sandboxes, maxDiskBytes, diskQuota, log } = options;
  let sizes = new Map<string, number>();
  const startPace = () =>
    createCountPace({ growth: GROWTH_SHARE * maxDiskBytes, shortestPauseMs: SHORTEST_PAUSE_MS });
  let pace = startPace();
  let known = '';

  async function readSizes(usedBytes: number): Promise<void> {
    const ids = sandboxes.list().map(({ id }) => id);
    // One that takes long to count must not spare those that come after it.
    if (ids.join() !== known) pace = startPace();
    known = ids.join();
    sizes = (await pace.count(usedBytes, () => readVolumeSizes(engine, ids))) ?? sizes;
  }

  async function end({ id, bytes }: Consumer, disk: HostDisk): Promise<void> {
    log.warn({ sandbox: id, bytes, maxDiskBytes, disk }, 'a sandbox takes more disk than it may');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }

  return async () => {
    if (sandboxes.list().length === 0) return;
    const disk = await readHostDisk(options.engineFolder);
    if (!diskQuota) await readSizes(disk.usedBytes);
    const consumers = sandboxes.list().map(({ id, cpuMsLately }): Consumer => {
      return { id, bytes: sizes.get(id) ?? 0, cpuMs: cpuMsLately };
    });
    const tooLarge = consumers.filter(({ bytes }) => bytes > maxDiskBytes);
    for (const consumer of tooLarge) await end(consumer, disk);
    const greediest = tooLarge.length === 0 ? chooseGreediest(disk, consumers) : undefined;
    if (greediest !== undefined) await end(greediest, disk);
  };
}
