import type { SandboxUsage } from '@fettle/contract';
import type { Container } from 'dockerode';
import { z } from 'zod';

const number = z.number().min(0);
// For both versions of cgroups: a missing value counts as 0. I/O is an exception: cgroups v1 have no entry for a file system
// without a disk of its own, and a missing entry does not mean that there was no I/O.
const statsSchema = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: number.default(0) }) }),
  memory_stats: z.object({
    usage: number.default(0),
    max_usage: number.default(0),
    stats: z.record(z.string(), z.unknown()).default({}),
  }),
  pids_stats: z.object({ current: number.default(0) }).default({ current: 0 }),
  blkio_stats: z.object({
    io_service_bytes_recursive: z
      .array(z.object({ op: z.string(), value: number }))
      .nullish()
      .transform((entries) => entries ?? []),
  }),
});

/** The usage of a container so far. Undefined when it is not running. */
export async function readUsage(container: Container, limitMs: number): Promise<SandboxUsage | undefined> {
  try {
    const options = { stream: false, 'one-shot': true, abortSignal: AbortSignal.timeout(limitMs) } as const;
    return toUsage(await container.stats(options));
  } catch {
    return undefined;
  }
}

export function toUsage(answer: unknown): SandboxUsage {
  const stats = statsSchema.parse(answer);
  const { usage, max_usage, stats: details } = stats.memory_stats;
  // The kernel's inactive file cache can be dropped at any time, so it does not count.
  const droppable = Number(details.inactive_file ?? details.total_inactive_file ?? 0);
  const moved = stats.blkio_stats.io_service_bytes_recursive.filter(({ op }) => /^(read|write)$/i.test(op));
  return {
    cpuMs: Math.round(stats.cpu_stats.cpu_usage.total_usage / 1e6),
    memoryPeakBytes: Math.max(max_usage, usage - droppable, 0),
    ...(moved.length > 0 && { ioBytes: moved.reduce((sum, { value }) => sum + value, 0) }),
    pids: stats.pids_stats.current,
  };
}

/** Combines two samples; peaks are the maximum of both. */
export function joinUsage(
  earlier: SandboxUsage | undefined,
  later: SandboxUsage | undefined,
): SandboxUsage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const moved = [earlier.ioBytes, later.ioBytes].filter((bytes) => bytes !== undefined);
  return {
    cpuMs: Math.max(earlier.cpuMs, later.cpuMs),
    memoryPeakBytes: Math.max(earlier.memoryPeakBytes, later.memoryPeakBytes),
    ...(moved.length > 0 && { ioBytes: Math.max(...moved) }),
    pids: Math.max(earlier.pids, later.pids),
  };
}
