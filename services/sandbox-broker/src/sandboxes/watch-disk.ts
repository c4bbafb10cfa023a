// Sandboxes that take more disk than they may, where the engine cannot limit it. Asking the engine is dear, asking how full
// the file system is costs nothing: so the engine is asked when that has grown by a part of what one sandbox may take. As
// one may fill what another frees, it is asked all the same every few seconds, the less often the longer it takes.
import type { Log } from '@fettle/log';
import type { Engine } from '../engine/connect-engine.ts';
import { readVolumeSizes } from '../engine/read-volume-sizes.ts';
import { type Consumer, chooseGreediest, type HostDisk, readHostDisk } from './host-disk.ts';
import type { Sandboxes } from './sandboxes.ts';

const GROWTH_SHARE = 0.1;
const PAUSES_MS = { shortest: 5_000, longest: 60_000 };
const PAUSE_FOR_TIME = 20;

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
  let asked = { atMs: Number.NEGATIVE_INFINITY, usedBytes: 0 };
  let pauseMs = PAUSES_MS.shortest;

  function isWorthAsking({ usedBytes }: HostDisk): boolean {
    const grown = usedBytes - asked.usedBytes > GROWTH_SHARE * maxDiskBytes;
    return !diskQuota && (grown || performance.now() - asked.atMs > pauseMs);
  }

  async function end({ id, bytes }: Consumer, disk: HostDisk): Promise<void> {
    log.warn({ sandbox: id, bytes, maxDiskBytes, disk }, 'a sandbox takes more disk than it may');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }

  return async () => {
    if (sandboxes.list().length === 0) return;
    const disk = await readHostDisk(options.engineFolder);
    if (isWorthAsking(disk)) {
      asked = { atMs: performance.now(), usedBytes: disk.usedBytes };
      sizes = await readVolumeSizes(engine);
      const tookMs = performance.now() - asked.atMs;
      pauseMs = Math.min(Math.max(PAUSE_FOR_TIME * tookMs, PAUSES_MS.shortest), PAUSES_MS.longest);
    }
    const consumers = sandboxes.list().map(({ id, cpuMsLately }): Consumer => {
      return { id, bytes: sizes.get(id) ?? 0, cpuMs: cpuMsLately };
    });
    const tooLarge = consumers.filter(({ bytes }) => bytes > maxDiskBytes);
    for (const consumer of tooLarge) await end(consumer, disk);
    const greediest = tooLarge.length === 0 ? chooseGreediest(disk, consumers) : undefined;
    if (greediest !== undefined) await end(greediest, disk);
  };
}
