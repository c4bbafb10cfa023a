import { afterEach, expect } from 'vitest';
import type { Platform } from '../../support/platform.ts';
import type { Environment, ServiceProcess } from '../../support/service-process.ts';

/** Workers that end with their test: one that a failed test left would take the operations of the next one. */
export function createWorkers(platform: () => Platform) {
  const workers: ServiceProcess[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ kill }) => kill()));
  });
  return async function startWorker(more: Environment = {}): Promise<ServiceProcess> {
    const worker = await platform().startWorker(more);
    workers.push(worker);
    return worker;
  };
}

export async function expectKilled(worker: ServiceProcess): Promise<void> {
  expect(await worker.exited).toMatchObject({ signal: 'SIGKILL' });
}
