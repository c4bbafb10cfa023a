/** Looks at a running platform from outside: what is told of an operation, and what the machine itself shows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationDetail, State } from '@fettle/contract';
import { findProcesses } from '../../../infra/testing/find-processes.ts';
import type { Platform } from '../../support/platform.ts';
import { listSandboxFolders } from '../../support/sandbox-folders.ts';

const patienceMs = 40_000;

/** Polls until the check gives something, and gives that. */
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

/** The one line that says what is going on. */
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

/** Everything that sandboxes with a repository have running and lying about. */
export function listRemains(home: string, marker?: string): string[] {
  const busy = listBusySandboxes(home);
  const processes = [...busy, ...(marker === undefined ? [] : [marker])].flatMap(findProcesses);
  return [...busy, ...processes.map(({ pid, command }) => `process ${pid}: ${command}`)];
}

/** Says how long it took, where a promise of time is tested on machines of any speed. */
export async function measure(what: string, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  const ms = Math.round(performance.now() - startedAt);
  console.info(`${what}: ${ms} ms`);
  return ms;
}
