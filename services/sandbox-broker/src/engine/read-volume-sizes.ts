import { accessSync, constants } from 'node:fs';
import { countDisk } from '@fettle/sandbox';
import { z } from 'zod';
import { labels } from '../labels.ts';
import type { Engine } from './connect-engine.ts';

const LIMIT_MS = 120_000;

const diskSchema = z.object({
  Volumes: z
    .array(
      z.object({
        Labels: z.record(z.string(), z.string()).nullish(),
        UsageData: z.object({ Size: z.number() }).nullish(),
      }),
    )
    .nullish(),
});

/**
 * Bytes by sandbox, of those asked for at least. Where the broker can get at the volumes itself it counts what they take
 * of the disk: cheaper, and files of one byte take a block each.
 */
export async function readVolumeSizes(engine: Engine, sandboxes: string[]): Promise<Map<string, number>> {
  const { Volumes } = await engine.listVolumes({ filters: { label: [labels.sandbox] } });
  const places = (Volumes ?? []).map(
    ({ Labels, Mountpoint }) => [Labels?.[labels.sandbox] ?? '', Mountpoint] as const,
  );
  const ours = places.filter(([sandbox]) => sandboxes.includes(sandbox));
  return ours.every(([, folder]) => canEnter(folder)) ? countBlocks(ours) : askForSizes(engine);
}

/** Each by itself: one that takes too long to count must not be held against the others. */
async function countBlocks(places: (readonly [string, string])[]): Promise<Map<string, number>> {
  const counted = places.map(
    async ([sandbox, folder]) => [sandbox, (await countDisk(folder, 'bytes')).seen] as const,
  );
  return new Map(await Promise.all(counted));
}

/** Not from within a container, nor as another user than the engine's. */
function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The sum of the files' lengths. The engine walks all volumes for this: 10 ms and more for each thousand files. */
async function askForSizes(engine: Engine): Promise<Map<string, number>> {
  const { Volumes } = diskSchema.parse(await readDisk(engine));
  return new Map(
    (Volumes ?? []).map(({ Labels, UsageData }) => [Labels?.[labels.sandbox] ?? '', UsageData?.Size ?? 0]),
  );
}

/** Newer engines can leave out everything but volumes, which the library has no words for. */
function readDisk(engine: Engine): Promise<unknown> {
  const request = {
    path: '/system/df?',
    method: 'GET',
    options: { type: 'volume' },
    abortSignal: AbortSignal.timeout(LIMIT_MS),
    statusCodes: { 200: true, 500: 'server error' },
  };
  return new Promise((resolve, reject) => {
    engine.modem.dial(request, (error: Error | null, data: unknown) =>
      error ? reject(error) : resolve(data),
    );
  });
}
