/** Handles one job of the queue: claims the operation, renews the lease while it runs, then settles or releases it. */
import { randomUUID } from 'node:crypto';
import type { Claim, FettleError, Outcome } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { withdrawIfUnwanted, withdrawLeftovers } from '../propose/withdraw-leftovers.ts';
import { runOperation } from '../run-operation.ts';
import type { Attempt } from './attempt.ts';
import { createAttempt } from './create-attempt.ts';
import {
  type AttemptEnd,
  endAfter,
  endUnsettled,
  isMessagesPending,
  isTakenOver,
  messagesPending,
  type Release,
} from './ends.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createInbox } from './inbox.ts';
import { createStopSwitch } from './stop-switch.ts';
import type { RunningAttempt, Worker } from './worker.ts';

/** Returns after how many milliseconds to retry, if the job came too early. */
export async function runAttempt(worker: Worker, operationId: string): Promise<number | undefined> {
  const { api, config, log, running } = worker;
  const stopSwitch = createStopSwitch();
  const self = { stopSwitch, inbox: createInbox() };
  try {
    const input = { worker: config.workerName, key: randomUUID() };
    // A worker that shuts down does not wait for an unreachable api: the job returns to the queue.
    const claim = await api.claim(operationId, input, worker.isStopping);
    crashPoint('claimed');
    // An older attempt of this worker lost its lease while the process was suspended, and has not noticed yet.
    running.get(operationId)?.stopSwitch.stop('lease_lost');
    running.set(operationId, self);
    self.inbox.expect(claim.messageCount);
    if (worker.isStopping()) stopSwitch.askToYield('worker_stopped');
    await runClaimed(worker, claim, self);
  } catch (error) {
    if (!isTakenOver(error)) throw error;
    log.info({ operationId, why: (error as Error).message }, 'operation is not available to this worker');
    const { code, afterMs } = error as FettleError;
    if (afterMs !== undefined) return afterMs;
    if (code !== 'not_found') await withdrawLeftovers(worker, operationId);
  } finally {
    stopSwitch.close();
    if (running.get(operationId) === self) running.delete(operationId);
  }
  return undefined;
}

async function runClaimed(worker: Worker, claim: Claim, running: RunningAttempt): Promise<void> {
  const { api, log } = worker;
  const { id } = claim.operation;
  const attempt = createAttempt(worker, claim, running);
  const heartbeat = startHeartbeat({ api, claim, running, totals: attempt.spent.totals });
  try {
    const end = await runToEnd(attempt);
    crashPoint('before-settle');
    await report(worker, attempt, end);
    crashPoint('after-settle');
    log.info({ operationId: id, end: end.kind }, 'attempt ended');
  } finally {
    heartbeat.stop();
  }
}

async function runToEnd(attempt: Attempt): Promise<AttemptEnd> {
  const { claim, log, record, stop } = attempt;
  try {
    const end = await runOperation(attempt);
    // Appends nothing, but fails if Redis has lost recorded events.
    await record.append();
    return end.kind === 'plan' ? end : { kind: 'settle', outcome: end };
  } catch (error) {
    return endAfter(error, { signal: stop.signal, operationId: claim.operation.id, log });
  }
}

/** Tells the api how the attempt ended. */
async function report({ api, log }: Worker, attempt: Attempt, end: AttemptEnd): Promise<void> {
  const { claim, spent, state } = attempt;
  const { id } = claim.operation;
  const position = () => ({ fence: claim.fence, from: state.current(), totals: spent.totals });
  const settle = (outcome: Outcome) =>
    api.settle(id, { ...position(), outcome, ...deliveredMessages(outcome, attempt) });
  const release = ({ why, reason, message, afterMs }: Release) =>
    api.release(id, { ...position(), why, reason, message, ...(afterMs !== undefined && { afterMs }) });
  async function endRejected(error: unknown): Promise<void> {
    if (isTakenOver(error)) throw error;
    if (isMessagesPending(error)) return release(messagesPending);
    log.error({ operationId: id, err: error }, 'the api did not accept the outcome');
    await endUnsettled(error, { settle, release });
  }
  if (end.kind === 'settle')
    await settle(end.outcome).catch(async (error) => {
      if (end.outcome.kind === 'proposal') await withdrawIfUnwanted(attempt, end.outcome);
      await endRejected(error);
    });
  if (end.kind === 'plan') await api.proposePlan(id, { ...position(), plan: end.plan }).catch(endRejected);
  if (end.kind === 'release') await release(end);
}

/** Lets the api refuse an answer that ignores new messages. A failed agent cannot react, and a proposal is checked earlier. */
function deliveredMessages(
  { kind }: Outcome,
  { messages }: Pick<Attempt, 'messages'>,
): { delivered?: number } {
  return kind === 'answer' || kind === 'unchanged' ? { delivered: messages.lastDelivered() } : {};
}
