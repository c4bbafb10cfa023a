/** Repairs disagreements between the queue, leases, states and the outbox. Each step can be repeated at any time. */
import type { State } from '@fettle/contract';
import type { WorkedOperation } from '@fettle/database';
import { fenceOff, undoFenceOff } from '@fettle/queue';
import type { Dependencies } from '../dependencies.ts';
import { isEventFailure, storeOperation } from '../events/store-operation.ts';
import type { StateAges } from './state-ages.ts';

export interface ReconcileDependencies
  extends Pick<
    Dependencies,
    'checkpoints' | 'database' | 'redis' | 'tail' | 'queue' | 'outbox' | 'liveness'
  > {
  ages: StateAges;
  rules: {
    leaseSeconds: number;
    maxLost: number;
    checkpointDays: number;
    stateLimits: { [Name in State]?: number };
  };
}

/** Takes operations from silent workers. Returns the new state of each. */
export async function takeFromLostWorkers(
  dependencies: ReconcileDependencies,
): Promise<{ id: string; state: State }[]> {
  const { database, liveness, redis, rules } = dependencies;
  const askedAt = performance.now();
  const worked = await database.operations.listWorked();
  liveness.resetAfterGap(askedAt, rules.leaseSeconds);
  liveness.keepOnly(new Set(worked.map(({ id }) => id)));
  const isSilent = ({ id, leaseExpiresAt }: Pick<WorkedOperation, 'id' | 'leaseExpiresAt'>) =>
    liveness.secondsSilent(id) >= rules.leaseSeconds && !isLeased(leaseExpiresAt, rules.leaseSeconds);
  const taken: { id: string; state: State }[] = [];
  for (const each of worked.filter(isSilent)) {
    // Waits while Redis is unreachable: nothing can be taken then, and the worker may send a heartbeat meanwhile.
    await redis.ping();
    // Taking the operations before this one may have taken long.
    if (!isSilent(each)) continue;
    const { id, fence } = each;
    // A worker that was only suspended can no longer append. What it appended before decides whether it made progress.
    await fenceOff(redis, id, fence);
    await storeOperation(dependencies, id).catch(ignoreEventFailure);
    const { maxLost } = rules;
    const operation = await database.operations.takeFromLostWorker({ id, fence, maxLost, isSilent });
    if (operation === 'alive') await undoFenceOff(redis, id, fence);
    else if (operation) taken.push({ id, state: operation.state });
  }
  return taken;
}

/** The background loop logs events that cannot be stored. The operation can be taken nevertheless. */
function ignoreEventFailure(error: unknown): void {
  if (!isEventFailure(error)) throw error;
}

/** Another api may have extended the lease. A lease far in the future means that a clock was set back. */
function isLeased(expiresAt: Date | null, leaseSeconds: number): boolean {
  const left = ((expiresAt?.getTime() ?? 0) - Date.now()) / 1000;
  return left > 0 && left <= 2 * leaseSeconds;
}

/**
 * A queued operation without a job would never start. Adds the missing jobs, except those that wait in the outbox, and
 * promotes delayed jobs that no operation expects.
 */
export async function restoreJobs({ database, queue, outbox }: ReconcileDependencies) {
  const restored: string[] = [];
  const queued = await database.operations.listQueued();
  for (const order of queued) {
    if (outbox.isBlocked(order.operationId)) continue;
    if (await queue.add(order)) restored.push(order.operationId);
  }
  return { restored, promoted: await queue.promoteAllExcept(queued) };
}

/** Adds jobs for ended operations that may have left a branch, until a worker reports the clean-up as done. */
export async function orderCleanUps({ database, queue }: ReconcileDependencies): Promise<string[]> {
  const ordered: string[] = [];
  for (const order of await database.operations.listCleanUps()) {
    if (await queue.add(order)) ordered.push(order.operationId);
  }
  return ordered;
}

const dayMs = 24 * 60 * 60 * 1000;
const batchLength = 500;

/** Removes the checkpoints of operations that ended long ago. Returns the ids of the operations. */
export async function removeOldCheckpoints({
  checkpoints,
  database,
  rules,
}: ReconcileDependencies): Promise<string[]> {
  const before = new Date(Date.now() - rules.checkpointDays * dayMs);
  const stored = await checkpoints.listOperations();
  const removed: string[] = [];
  for (let at = 0; at < stored.length; at += batchLength) {
    const ids = stored.slice(at, at + batchLength);
    for (const id of await database.operations.listEndedBefore({ ids, before })) {
      await checkpoints.remove(id);
      removed.push(id);
    }
  }
  return removed;
}

/** Ends operations that exceeded the time limit of their state. Returns their ids. */
export async function expireOverdue({ database, rules, ages }: ReconcileDependencies): Promise<string[]> {
  const limits = rules.stateLimits;
  const expired: string[] = [];
  for (const stay of ages.update(await database.operations.listInStates(Object.keys(limits) as State[]))) {
    const limitSeconds = limits[stay.state] ?? Number.POSITIVE_INFINITY;
    if (stay.seconds <= limitSeconds) continue;
    if (await database.operations.expire({ ...stay, limitSeconds })) expired.push(stay.id);
  }
  return expired;
}
