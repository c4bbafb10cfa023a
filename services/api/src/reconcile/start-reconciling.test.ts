import { createLog } from '@fettle/log';
import { expect, test } from 'vitest';
import type { ReconcileDependencies } from './reconcile.ts';
import { startReconciling } from './start-reconciling.ts';
import { createWorkerLiveness } from './worker-liveness.ts';

test('lost jobs are restored at the start and then at every interval', async () => {
  const put: string[] = [];
  const dependencies = {
    database: {
      operations: {
        listWorked: async () => [],
        listInStates: async () => [],
        listCleanUps: async () => [],
        listQueued: async () => [{ operationId: `op_${put.length + 1}` }],
      },
    },
    queue: {
      promoteAllExcept: async () => [],
      add: async ({ operationId }: { operationId: string }) => put.push(operationId) > 0,
    },
    outbox: { flush: async () => {}, isBlocked: () => false },
    liveness: createWorkerLiveness(),
    ages: { update: () => [] },
    rules: { leaseSeconds: 1, maxLost: 5, stateLimits: {} },
  } as unknown as ReconcileDependencies;
  const reconciling = startReconciling({
    ...dependencies,
    everyMs: 300,
    log: createLog('test', 'silent', String),
  });
  await expect.poll(() => put.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  await reconciling.stop();
  expect(put.slice(0, 3)).toEqual(['op_1', 'op_2', 'op_3']);
});
