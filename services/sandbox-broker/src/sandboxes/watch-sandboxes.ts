// Looks at running sandboxes every few seconds: what each has used, how much disk it takes where the engine cannot limit
// that, and what is left of the disk for everybody.
import type { SandboxUsage } from '@fettle/contract';
import type { Log } from '@fettle/log';
import { z } from 'zod';
import type { Engine } from '../engine/connect-engine.ts';
import { joinUsage, readUsage } from '../engine/read-usage.ts';
import { labels } from '../labels.ts';
import { type Consumer, chooseGreediest, readHostDisk } from './host-disk.ts';
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
  engineFolder: string;
  sandboxes: Sandboxes;
  maxDiskBytes: number;
  diskQuota: boolean;
  log: Log;
}

export async function refreshUsage(sandbox: BrokerSandbox): Promise<SandboxUsage | undefined> {
  if (sandbox.container !== undefined && sandbox.ending === undefined) {
    sandbox.usage = joinUsage(sandbox.usage, await readUsage(sandbox.container, USAGE_LIMIT_MS));
  }
  return sandbox.usage;
}

export async function watchSandboxes(watching: Watching): Promise<void> {
  const living = watching.sandboxes.list();
  if (living.length === 0) return;
  const sizes = watching.diskQuota ? new Map<string, number>() : await readSizes(watching.engine);
  const consumers: Consumer[] = [];
  for (const sandbox of living) {
    const before = sandbox.usage?.cpuMs ?? 0;
    const after = (await refreshUsage(sandbox))?.cpuMs ?? before;
    consumers.push({ id: sandbox.id, bytes: sizes.get(sandbox.id) ?? 0, cpuMs: after - before });
  }
  await endTooLarge(watching, consumers);
}

async function endTooLarge(watching: Watching, consumers: Consumer[]): Promise<void> {
  const { sandboxes, maxDiskBytes, log } = watching;
  const tooLarge = consumers.filter(({ bytes }) => bytes > maxDiskBytes);
  const disk = await readHostDisk(watching.engineFolder);
  const greediest = tooLarge.length > 0 ? undefined : chooseGreediest(disk, consumers);
  for (const { id, bytes } of greediest === undefined ? tooLarge : [greediest]) {
    log.warn({ sandbox: id, bytes, maxDiskBytes, disk }, 'a sandbox takes more disk than it may');
    await sandboxes.end(id, 'disk')?.catch(() => {});
  }
}

/** The engine adds up the files of all volumes for this, so that the pause after it grows with its time. */
async function readSizes(engine: Engine): Promise<Map<string, number>> {
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
    abortSignal: AbortSignal.timeout(DISK_LIMIT_MS),
    statusCodes: { 200: true, 500: 'server error' },
  };
  return new Promise((resolve, reject) => {
    engine.modem.dial(request, (error: Error | null, data: unknown) =>
      error ? reject(error) : resolve(data),
    );
  });
}
