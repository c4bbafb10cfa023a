import type { SandboxUsage } from '@fettle/contract';
import type { Container } from 'dockerode';
import { z } from 'zod';

const number = z.number().min(0);
// Both versions of control groups; what one of them lacks counts as nothing. Bytes read and written are the exception: the
// older version has no entry for a file system without a disk of its own, and no entry is not the same as no byte.
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

/** What a container has used so far; undefined when it does not run. */
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
  // What the kernel keeps of files and can drop at any time is not in use.
  const droppable = Number(details.inactive_file ?? details.total_inactive_file ?? 0);
  const moved = stats.blkio_stats.io_service_bytes_recursive.filter(({ op }) => /^(read|write)$/i.test(op));
  return {
    cpuMs: Math.round(stats.cpu_stats.cpu_usage.total_usage / 1e6),
    memoryPeakBytes: Math.max(max_usage, usage - droppable, 0),
    ...(moved.length > 0 && { ioBytes: moved.reduce((sum, { value }) => sum + value, 0) }),
    pids: stats.pids_stats.current,
  };
}

/** The later reading, with the highest of both where a peak is meant. */
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
