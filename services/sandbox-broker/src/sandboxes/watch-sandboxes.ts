// Looks at running sandboxes every few seconds: what each has used, and, where the engine cannot limit it, how much disk.
import type { SandboxUsage } from '@fettle/contract';
import type { Log } from '@fettle/log';
import { z } from 'zod';
import type { Engine } from '../engine/connect-engine.ts';
import { joinUsage, readUsage } from '../engine/read-usage.ts';
import { labels } from '../labels.ts';
import type { BrokerSandbox } from './sandbox.ts';
import type { Sandboxes } from './sandboxes.ts';

const USAGE_LIMIT_MS = 2_000;
const DISK_LIMIT_MS = 120_000;

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

export interface Watching {
  engine: Engine;
  sandboxes: Sandboxes;
  maxDiskBytes: number;
  diskQuota: boolean;
  log: Log;
}

export async function sampleUsage({ sandboxes }: Watching): Promise<void> {
  for (const sandbox of sandboxes.list()) await refreshUsage(sandbox);
}

export async function refreshUsage(sandbox: BrokerSandbox): Promise<SandboxUsage | undefined> {
  if (sandbox.container !== undefined && sandbox.ending === undefined) {
    sandbox.usage = joinUsage(sandbox.usage, await readUsage(sandbox.container, USAGE_LIMIT_MS));
  }
  return sandbox.usage;
}

/** The engine adds up the files of all volumes for this, so that the pause after it grows with its time. */
export async function endTooLarge({
  engine,
  sandboxes,
  maxDiskBytes,
  diskQuota,
  log,
}: Watching): Promise<void> {
  if (diskQuota || sandboxes.list().length === 0) return;
  const { Volumes } = diskSchema.parse(await readDisk(engine));
  for (const { Labels, UsageData } of Volumes ?? []) {
    const id = Labels?.[labels.sandbox] ?? '';
    const bytes = UsageData?.Size ?? 0;
    if (bytes <= maxDiskBytes || sandboxes.find(id) === undefined) continue;
    log.warn({ sandbox: id, bytes, maxDiskBytes }, 'a sandbox takes more disk than it may');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }
}

/** Newer engines can leave out everything but volumes, which the library has no words for. */
function readDisk(engine: Engine): Promise<unknown> {
  const request = {
    path: '/system/df?type=volume',
    method: 'GET',
    abortSignal: AbortSignal.timeout(DISK_LIMIT_MS),
    statusCodes: { 200: true, 500: 'server error' },
  };
  return new Promise((resolve, reject) => {
    engine.modem.dial(request, (error: Error | null, data: unknown) =>
      error ? reject(error) : resolve(data),
    );
  });
}
