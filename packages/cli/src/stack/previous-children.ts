/**
 * After `kill -9` of the command, its children end by themselves, but not at once: until then the api has the database
 * open. The next owner of the home waits for them.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '@fettle/owner-lock';
import { z } from 'zod';
import type { ChildName } from './child-environment.ts';

/** Longer than a child takes to end after its parent. */
const timeoutMs = 12_000;
const names: ChildName[] = ['worker', 'api'];
const childSchema = z.object({ pid: z.int(), startTime: z.string() });

export function childFile(home: string, name: ChildName): string {
  return join(home, 'run', `${name}.json`);
}

export function recordChild(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, startTime: startTimeOf(pid) }), { mode: 0o600 });
}

export async function waitForPreviousChildren(home: string): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (const name of names) {
    const file = childFile(home, name);
    const child = readChild(file);
    while (child && startTimeOf(child.pid) === child.startTime) {
      if (performance.now() > deadline) process.kill(child.pid, 'SIGKILL');
      await sleep(50);
    }
    rmSync(file, { force: true });
  }
}

function readChild(file: string): z.infer<typeof childSchema> | undefined {
  try {
    return childSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
