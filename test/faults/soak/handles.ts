/** Counts the open files of workers. Without faults, their number must not grow with the work. */
import { readdirSync } from 'node:fs';
import type { Stage } from './stage.ts';

/** Connections come and go, and pools fill up late. */
const leeway = 25;

export type Handles = Map<string, number>;

export function countHandles({ workers }: Pick<Stage, 'workers'>): Handles {
  return new Map(
    [...workers].map(([name, { pid }]) => [`${name} (${pid})`, readdirSync(`/proc/${pid}/fd`).length]),
  );
}

export function findHandleFaults(before: Handles, after: Handles): string[] {
  return [...after].flatMap(([name, count]) => {
    const known = before.get(name) ?? count;
    return count <= known + leeway ? [] : [`${name} has ${count} files open, and had ${known} early on`];
  });
}
