/** Short operations per minute, with a model that answers at once. */
import { readFileSync } from 'node:fs';
import type { Platform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';

/** Keeps `width` operations under way until `count` are done. */
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
      const { operation } = await platform.run({
        kind: 'fix',
        description: 'errand',
        repository: repository.path,
      });
      if (operation.outcome?.kind !== 'proposal')
        throw new Error(`an errand did not end well: ${JSON.stringify(operation.outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return count / ((performance.now() - startedAt) / 60_000);
}

/** Resident memory of a process, in MB: now, and at its highest. */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
