import { createFailureNote, type Log } from '@fettle/log';
import { within } from '../within.ts';
import {
  expireOverdue,
  orderCleanUps,
  type ReconcileDependencies,
  removeOldCheckpoints,
  restoreJobs,
  takeFromLostWorkers,
} from './reconcile.ts';

export interface ReconcileOptions extends ReconcileDependencies {
  log: Log;
  everyMs?: number;
}

/** Clean-ups become due seconds after each other, so the full interval would be too long. */
const cleanUpsEveryMs = 5_000;
const checkpointsEveryMs = 60 * 60_000;
/** Gives the first requests precedence. Nothing is lost by reconciling two seconds later. */
const firstAfterMs = 2_000;

/** Runs every step shortly after the start and then every minute, and checks leases several times per lease. */
export function startReconciling({ log, everyMs = 60_000, ...dependencies }: ReconcileOptions) {
  const { outbox, liveness, rules } = dependencies;
  const note = createFailureNote(log, 'reconcile failed; it will be retried');
  let stopped = false;
  let running: Promise<void> | undefined;
  let restoredAt = Number.NEGATIVE_INFINITY;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let checkpointsRemovedAt = Number.NEGATIVE_INFINITY;
  const startedAt = performance.now();
  let tickedAt = startedAt;

  async function repair(): Promise<void> {
    const taken = await takeFromLostWorkers(dependencies);
    for (const { id, state } of taken)
      log.warn({ operationId: id, state }, 'reconcile: the worker is lost, the operation was taken from it');
    const isDue = performance.now() - restoredAt >= everyMs;
    const expired = isDue ? await expireOverdue(dependencies) : [];
    for (const operationId of expired)
      log.warn({ operationId }, 'reconcile: the operation exceeded the time limit of its state and expired');
    // Before jobs are restored: a job that is still in the outbox is not missing.
    if (isDue || taken.length > 0) await outbox.flush();
    if (performance.now() - cleanedAt >= cleanUpsEveryMs) await sendToCleanUp();
    if (!isDue) return;
    const { restored, promoted } = await restoreJobs(dependencies);
    for (const operationId of restored)
      log.warn({ operationId }, 'reconcile: the operation was queued without a job, the job was restored');
    for (const operationId of promoted)
      log.warn({ operationId }, 'reconcile: a delayed job of a past attempt was promoted');
    restoredAt = performance.now();
    if (performance.now() - checkpointsRemovedAt >= checkpointsEveryMs) await forgetCheckpoints();
  }

  async function forgetCheckpoints(): Promise<void> {
    const removed = await removeOldCheckpoints(dependencies);
    if (removed.length > 0)
      log.info({ operations: removed.length }, 'reconcile: checkpoints of old operations were removed');
    checkpointsRemovedAt = performance.now();
  }

  async function sendToCleanUp(): Promise<void> {
    for (const operationId of await orderCleanUps(dependencies))
      log.info(
        { operationId },
        'reconcile: the ended operation may have left a branch, a clean-up was queued',
      );
    cleanedAt = performance.now();
  }

  async function reconcile(): Promise<void> {
    const beganAt = performance.now();
    try {
      await repair();
      liveness.resetAfterGap(beganAt, rules.leaseSeconds);
      note.recovered();
    } catch (error) {
      if (stopped) return;
      // Heartbeats could not be stored meanwhile either, so silence proves nothing.
      liveness.reset();
      note.failed(error);
    }
  }

  function tick(): void {
    // A tick that comes much too late means that this process or its machine was suspended.
    liveness.resetAfterGap(tickedAt, rules.leaseSeconds);
    tickedAt = performance.now();
    if (performance.now() - startedAt < firstAfterMs) return;
    running ??= reconcile().finally(() => {
      running = undefined;
    });
  }

  const timer = setInterval(tick, Math.min(everyMs, (rules.leaseSeconds * 1000) / 6));
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await within(1_000, Promise.resolve(running));
    },
  };
}
