import { createFailureNote, type Log } from '@fettle/log';
import { within } from '../within.ts';
import {
  expireOverdue,
  orderCleanUps,
  type ReconcileDependencies,
  restoreJobs,
  takeFromLostWorkers,
} from './reconcile.ts';

export interface ReconcileOptions extends ReconcileDependencies {
  log: Log;
  everyMs?: number;
}

/** A look at what an operation left comes when it is due, and that may be seconds after the one before. */
const cleanUpsEveryMs = 5_000;
/** The first requests come before: nothing is lost by two seconds, and they are answered sooner. */
const firstAfterMs = 2_000;

/** Right after the start and every minute everything; the leases several times within a lease, since somebody waits for those. */
export function startReconciling({ log, everyMs = 60_000, ...dependencies }: ReconcileOptions) {
  const { outbox, liveness, rules } = dependencies;
  const note = createFailureNote(log, 'reconcile failed; it will be tried again');
  let stopped = false;
  let looking: Promise<void> | undefined;
  let restoredAt = Number.NEGATIVE_INFINITY;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  const beganAt = performance.now();
  let tickedAt = beganAt;

  async function mend(): Promise<void> {
    const taken = await takeFromLostWorkers(dependencies);
    for (const { id, state } of taken)
      log.warn({ operationId: id, state }, 'reconcile: its worker is gone, taken from it');
    const isDue = performance.now() - restoredAt >= everyMs;
    const expired = isDue ? await expireOverdue(dependencies) : [];
    for (const operationId of expired) log.warn({ operationId }, 'reconcile: too long in one state, expired');
    // First what the outbox holds: a job that is on its way is not a job that is missing.
    if (isDue || taken.length > 0) await outbox.flush();
    if (performance.now() - cleanedAt >= cleanUpsEveryMs) await sendToCleanUp();
    if (!isDue) return;
    const { restored, woken } = await restoreJobs(dependencies);
    for (const operationId of restored)
      log.warn({ operationId }, 'reconcile: queued without a job, put back into the queue');
    for (const operationId of woken)
      log.warn({ operationId }, 'reconcile: a job waited for an attempt that is over, handed out');
    restoredAt = performance.now();
  }

  async function sendToCleanUp(): Promise<void> {
    for (const operationId of await orderCleanUps(dependencies))
      log.info({ operationId }, 'reconcile: ended, and may have left a branch; a worker is sent to look');
    cleanedAt = performance.now();
  }

  async function look(): Promise<void> {
    const lookedAt = performance.now();
    try {
      await mend();
      liveness.noticeGap(lookedAt, rules.leaseSeconds);
      note.well();
    } catch (error) {
      if (stopped) return;
      // Heartbeats could not be taken in meanwhile either, so that silence proves nothing.
      liveness.startAnew();
      note.failed(error);
    }
  }

  function lookOnce(): void {
    // A look that comes much later than planned: this process stood still, or its machine slept.
    liveness.noticeGap(tickedAt, rules.leaseSeconds);
    tickedAt = performance.now();
    if (performance.now() - beganAt < firstAfterMs) return;
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }

  const timer = setInterval(lookOnce, Math.min(everyMs, (rules.leaseSeconds * 1000) / 6));
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await within(1_000, Promise.resolve(looking));
    },
  };
}
