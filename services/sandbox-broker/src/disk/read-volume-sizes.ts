import { z } from 'zod';
import type { Engine } from '../engine/connect-engine.ts';
import { labels } from '../sandboxes/labels.ts';

const engineTimeoutMs = 120_000;

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
 * Bytes by sandbox, for volumes that this process cannot read: the sum of the apparent file sizes. This is slow: the engine
 * walks all volumes, which takes at least 10 ms per thousand files.
 */
export async function readVolumeSizes(engine: Engine): Promise<Map<string, number>> {
  const { Volumes } = diskSchema.parse(await readDisk(engine));
  return new Map(
    (Volumes ?? []).map(({ Labels, UsageData }) => [Labels?.[labels.sandbox] ?? '', UsageData?.Size ?? 0]),
  );
}

/** Newer engines can restrict the result to volumes, but dockerode does not support that option. */
function readDisk(engine: Engine): Promise<unknown> {
  const request = {
    path: '/system/df?',
    method: 'GET',
    options: { type: 'volume' },
    abortSignal: AbortSignal.timeout(engineTimeoutMs),
    statusCodes: { 200: true, 500: 'server error' },
  };
  return new Promise((resolve, reject) => {
    engine.modem.dial(request, (error: Error | null, data: unknown) =>
      error ? reject(error) : resolve(data),
    );
  });
}
