/** Brings queue, leases, states and outbox back together, and says what it mended. Each step can be done again at any time. */
import type { State } from '@fettle/contract';
import type { Database, WorkedOperation } from '@fettle/database';
import { type CodeQueue, fenceOff, letOnAgain, type Redis } from '@fettle/queue';
import type { EventTail } from '../events/event-tail.ts';
import { isOwnTrouble, storeOperation } from '../events/store-operation.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { StateAges } from './state-ages.ts';
import type { WorkerLiveness } from './worker-liveness.ts';

export interface ReconcileDependencies {
  database: Database;
  redis: Redis;
  tail: EventTail;
  queue: CodeQueue;
  outbox: Outbox;
  liveness: WorkerLiveness;
  ages: StateAges;
  rules: { leaseSeconds: number; maxLost: number; stateLimits: { [Name in State]?: number } };
}

/** Operations whose worker is silent go to another one. Gives what became of each. */
export async function takeFromLostWorkers(
  dependencies: ReconcileDependencies,
): Promise<{ id: string; state: State }[]> {
  const { database, liveness, rules } = dependencies;
  const askedAt = performance.now();
  const worked = await database.operations.listWorked();
  liveness.noticeGap(askedAt, rules.leaseSeconds);
  liveness.keep(new Set(worked.map(({ id }) => id)));
  const isSilent = ({ id, leaseExpiresAt }: Pick<WorkedOperation, 'id' | 'leaseExpiresAt'>) =>
    liveness.secondsSilent(id) >= rules.leaseSeconds && !isLeased(leaseExpiresAt, rules.leaseSeconds);
  const taken: { id: string; state: State }[] = [];
  for (const each of worked.filter(isSilent)) {
    // While Redis is away nothing can be taken, and whoever is silent now may be heard of until it is back.
    await dependencies.redis.ping();
    // Taking the others may have lasted.
    if (!isSilent(each)) continue;
    const { id, fence } = each;
    // A worker that only sleeps adds nothing any more; what it said before decides whether it got anywhere.
    await fenceOff(dependencies.redis, id, fence);
    await storeOperation(dependencies, id).catch(ignoreOwnTrouble);
    const { maxLost } = rules;
    const operation = await database.operations.takeFromLostWorker({ id, fence, maxLost, isSilent });
    if (operation === 'heard_of') await letOnAgain(dependencies.redis, id, fence);
    else if (operation) taken.push({ id, state: operation.state });
  }
  return taken;
}

/** Who stores in the background tells of it; the operation, and every other one, can be taken all the same. */
function ignoreOwnTrouble(error: unknown): void {
  if (!isOwnTrouble(error)) throw error;
}

/** Another api may have heard of it. A lease far in the future says only that a clock was set back. */
function isLeased(expiresAt: Date | null, leaseSeconds: number): boolean {
  const left = ((expiresAt?.getTime() ?? 0) - Date.now()) / 1000;
  return left > 0 && left <= 2 * leaseSeconds;
}

/**
 * A queued operation without a job would wait for ever, unless its job waits elsewhere. Gives those that had none, and
 * those whose job waited for nothing.
 */
export async function restoreJobs({ database, queue, outbox }: ReconcileDependencies) {
  const restored: string[] = [];
  const queued = await database.operations.listQueued();
  for (const order of queued) {
    if (outbox.isHeld(order.operationId)) continue;
    if (await queue.add(order)) restored.push(order.operationId);
  }
  return { restored, woken: await queue.wakeAllBut(queued) };
}

/** What ended and may have left a branch is looked after by a worker, until one has reported it done. Gives those without a job. */
export async function orderCleanUps({ database, queue }: ReconcileDependencies): Promise<string[]> {
  const ordered: string[] = [];
  for (const order of await database.operations.listCleanUps()) {
    if (await queue.add(order)) ordered.push(order.operationId);
  }
  return ordered;
}

/** Ends what has been in its state for longer than it may. Gives those. */
export async function expireOverdue({ database, rules, ages }: ReconcileDependencies): Promise<string[]> {
  const limits = rules.stateLimits;
  const expired: string[] = [];
  for (const stay of ages.look(await database.operations.listInStates(Object.keys(limits) as State[]))) {
    const limitSeconds = limits[stay.state] ?? Number.POSITIVE_INFINITY;
    if (stay.seconds <= limitSeconds) continue;
    if (await database.operations.expire({ ...stay, limitSeconds })) expired.push(stay.id);
  }
  return expired;
}
