/** Short operations per minute, with a model that answers immediately. */
import { readFileSync } from 'node:fs';
import { proposalOf } from '../test/support/events.ts';
import type { Platform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';

/** Runs `count` operations, `width` at a time. */
export async function measurePerMinute(
  platform: Platform,
  repository: TestRepository,
  width: number,
  count: number,
): Promise<number> {
  const startedAt = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const { operation } = await platform.run(repository.request('fix', 'errand'));
      proposalOf(operation);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return count / ((performance.now() - startedAt) / 60_000);
}

/** The current and the peak resident memory of a process, in MB. */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
