/** One delivery of the queue: claim the operation, keep the lease while it is worked on, settle it or hand it back. */
import { randomUUID } from 'node:crypto';
import type { Model } from '@fettle/agent';
import { type Claim, FettleError, type Outcome, type Plan, reasons } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Log } from '@fettle/log';
import { FencedError, type Redis } from '@fettle/queue';
import type { Registry } from '@fettle/registry';
import type { Redaction } from '@fettle/secrets';
import type { Config } from '../config/config.ts';
import { withdrawIfUnwanted, withdrawLeftovers } from '../propose/withdraw-leftovers.ts';
import { runOperation } from '../run-operation.ts';
import type { SandboxReserve } from '../sandboxes/sandbox-reserve.ts';
import type { SecondOpinion } from '../secrets/gitleaks-scanner.ts';
import type { ApiClient } from './api-client.ts';
import type { Work } from './attempt.ts';
import { createWork, type Reach } from './create-attempt.ts';
import { endUnsettled, type Release } from './ends.ts';
import { describeError, reasonOf } from './explain-error.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createMailbox } from './inbox.ts';
import { MustWait } from './retry-later.ts';
import { createStopSwitch } from './stop-switch.ts';
import { Stopped } from './stopped.ts';

export interface Worker {
  config: Config;
  api: ApiClient;
  redis: Redis;
  model: Model;
  sandboxes: SandboxReserve;
  registry: Registry;
  redaction: Redaction;
  secondOpinion: SecondOpinion;
  log: Log;
  /** The operations under way, by which a cancel, a pause, a message or a shutdown reaches them. */
  running: Map<string, Reach>;
  /** Whether the worker was asked to end. */
  isStopping(): boolean;
}

/** How an attempt ends: with an outcome, with a plan to decide about, with a wish to be gone on with, or with nothing, when it is not ours any more. */
type AttemptEnd =
  | { kind: 'settle'; outcome: Outcome }
  | { kind: 'plan'; plan: Plan }
  | ({ kind: 'release' } & Release)
  | { kind: 'leave'; why: string };

/** Gives after how many milliseconds to try again, where it was too early. */
export async function workOperation(worker: Worker, operationId: string): Promise<number | undefined> {
  const { api, config, log, running } = worker;
  const stopSwitch = createStopSwitch();
  const reach = { stopSwitch, mailbox: createMailbox() };
  try {
    // Whoever stops waits for no api that is away: the job goes back.
    const input = { worker: config.workerName, key: randomUUID() };
    const claim = await api.claim(operationId, input, worker.isStopping);
    crashPoint('claimed');
    // An attempt of our own that slept through its lease, and does not know it yet.
    running.get(operationId)?.stopSwitch.stop('lease_lost');
    running.set(operationId, reach);
    reach.mailbox.expect(claim.messageCount);
    if (worker.isStopping()) stopSwitch.askToYield('worker_stopped');
    await workOn(worker, claim, reach);
  } catch (error) {
    if (!isTakenAway(error)) throw error;
    log.info({ operationId, why: (error as Error).message }, 'operation is not to be worked on');
    const { code, afterMs } = error as FettleError;
    if (afterMs !== undefined) return afterMs;
    if (code !== 'not_found') await withdrawLeftovers(worker, operationId);
  } finally {
    stopSwitch.close();
    if (running.get(operationId) === reach) running.delete(operationId);
  }
  return undefined;
}

async function workOn({ api, log, ...worker }: Worker, claim: Claim, reach: Reach): Promise<void> {
  const { id } = claim.operation;
  const { fence } = claim;
  const { work, state } = createWork({ api, log, ...worker }, claim, reach);
  const { totals } = work;
  const heartbeat = startHeartbeat({ api, claim, reach, totals });
  const settle = (outcome: Outcome) =>
    api.settle(id, { fence, from: state(), outcome, totals, ...hearing(outcome, work) });
  const release = ({ why, reason, message }: Release) =>
    api.release(id, { fence, from: state(), why, reason, message, totals });
  async function endRefused(error: unknown): Promise<void> {
    if (isTakenAway(error)) throw error;
    if (isUnheard(error)) return release(messageWaits);
    log.error({ operationId: id, err: error }, 'the outcome was not taken');
    await endUnsettled(error, { settle, release });
  }
  try {
    const end = await runToEnd(work, log);
    crashPoint('before-settle');
    if (end.kind === 'settle')
      await settle(end.outcome).catch(async (error) => {
        if (end.outcome.kind === 'proposal') await withdrawIfUnwanted(work, end.outcome);
        await endRefused(error);
      });
    if (end.kind === 'plan')
      await api.proposePlan(id, { fence, from: state(), plan: end.plan, totals }).catch(endRefused);
    if (end.kind === 'release') await release(end);
    crashPoint('after-settle');
    log.info({ operationId: id, end: end.kind }, 'attempt ended');
  } finally {
    heartbeat.stop();
  }
}

/** Somebody spoke when the agent had just ended: the next attempt goes on from there. */
const messageWaits: Release = {
  why: 'handed_over',
  reason: 'message_waits',
  message: reasons.message_waits,
};

/** Only an agent that is done can still hear something; one that failed cannot, and a proposal is past that. */
function hearing({ kind }: Outcome, work: Work): { heard?: number } {
  return kind === 'answer' || kind === 'unchanged' ? { heard: work.heard() } : {};
}

function isUnheard(error: unknown): boolean {
  return error instanceof FettleError && error.code === 'unheard';
}

async function runToEnd(work: Work, log: Log): Promise<AttemptEnd> {
  const { id } = work.claim.operation;
  try {
    const end = await runOperation(work);
    // Nothing more, but only where all that was recorded is still there.
    await work.record();
    return end.kind === 'plan' ? end : { kind: 'settle', outcome: end };
  } catch (error) {
    const stop: unknown = work.signal.aborted ? work.signal.reason : error;
    if (stop instanceof Stopped) return endOf(stop);
    if (isTakenAway(error)) return { kind: 'leave', why: (error as Error).message };
    if (error instanceof MustWait) {
      const { reason, message } = error;
      log.warn({ operationId: id, reason, why: message }, 'attempt has to wait');
      return { kind: 'release', why: 'went_wrong', reason, message };
    }
    log.error({ operationId: id, err: error }, 'attempt failed');
    return { kind: 'release', why: 'went_wrong', reason: reasonOf(error), message: describeError(error) };
  }
}

function endOf({ cause, message }: Stopped): AttemptEnd {
  if (cause === 'cancelled' || cause === 'lease_lost') return { kind: 'leave', why: message };
  return { kind: 'release', why: 'handed_over', reason: cause, message };
}

/** Another owner, or a person, changed the operation while we worked on it. */
function isTakenAway(error: unknown): boolean {
  if (error instanceof FencedError) return true;
  return error instanceof FettleError && ['fenced', 'conflict', 'not_found'].includes(error.code);
}
