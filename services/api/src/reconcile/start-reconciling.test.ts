import { createLog } from '@fettle/log';
import { expect, test } from 'vitest';
import type { ReconcileDependencies } from './reconcile.ts';
import { startReconciling } from './start-reconciling.ts';
import { createWorkerLiveness } from './worker-liveness.ts';

test('what has lost its job is looked for at the start, and again and again', async () => {
  const put: string[] = [];
  const parts = {
    database: {
      operations: {
        listWorked: async () => [],
        listInStates: async () => [],
        listCleanUps: async () => [],
        listQueued: async () => [{ operationId: `op_${put.length + 1}` }],
      },
    },
    queue: { add: async ({ operationId }: { operationId: string }) => put.push(operationId) > 0 },
    outbox: { flush: async () => {}, isHeld: () => false },
    liveness: createWorkerLiveness(),
    ages: { look: () => [] },
    rules: { leaseSeconds: 1, maxLost: 5, stateLimits: {} },
  } as unknown as ReconcileDependencies;
  const reconciling = startReconciling({ ...parts, everyMs: 300, log: createLog('test', 'silent', String) });
  await expect.poll(() => put.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  await reconciling.stop();
  expect(put.slice(0, 3)).toEqual(['op_1', 'op_2', 'op_3']);
});
