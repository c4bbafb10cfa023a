/** Observes a running platform from outside: the api's view of an operation, and the machine's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationDetail, State } from '@fettle/contract';
import { expect } from 'vitest';
import { findProcesses } from '../../../infra/testing/find-processes.ts';
import type { Platform } from '../../support/platform.ts';
import { listSandboxFolders } from '../../support/sandbox-folders.ts';
import type { ServiceProcess } from '../../support/service-process.ts';

const patienceMs = 40_000;

/** Polls until the check returns a value, and returns that value. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${patienceMs / 1000} s: ${what}`);
    await sleep(20);
  }
}

export function untilState(platform: Platform, id: string, ...states: State[]): Promise<OperationDetail> {
  return until(`${id} ${states.join(' or ')}`, async () => {
    const operation = await platform.get(id);
    return states.includes(operation.state) && operation;
  });
}

/** Waits until the activity of an operation matches. */
export function untilActivity(platform: Platform, id: string, pattern: RegExp): Promise<OperationDetail> {
  return until(`${id} ${pattern}`, async () => {
    const operation = await platform.get(id);
    return pattern.test(operation.activity) && operation;
  });
}

/** Folders of sandboxes that hold a repository; a worker's spare one is empty. */
export function listBusySandboxes(home: string): string[] {
  return listSandboxFolders(home).filter((folder) => existsSync(join(folder, 'workspace', '.git')));
}

/** The processes and folders of sandboxes with a repository. */
export function listRemains(home: string, marker?: string): string[] {
  const busy = listBusySandboxes(home);
  const processes = [...busy, ...(marker === undefined ? [] : [marker])].flatMap(findProcesses);
  return [...busy, ...processes.map(({ pid, command }) => `process ${pid}: ${command}`)];
}

/** Measures and prints how long the work took. */
export async function measure(what: string, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  const ms = Math.round(performance.now() - startedAt);
  console.info(`${what}: ${ms} ms`);
  return ms;
}

export async function expectKilled(worker: ServiceProcess): Promise<void> {
  expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
}
