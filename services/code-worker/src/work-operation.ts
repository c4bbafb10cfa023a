/** One delivery of the queue: claim the operation, keep the lease while it is worked on, settle it. */
import type { Model } from '@fettle/agent';
import { FettleError, type Outcome, type ReasonCode, type State } from '@fettle/contract';
import { GitError } from '@fettle/git';
import { appendEvent, FencedError, type Redis } from '@fettle/queue';
import { SandboxError } from '@fettle/sandbox';
import type { Logger } from 'pino';
import type { ApiClient } from './api-client.ts';
import type { Config } from './config.ts';
import { Stopped, startHeartbeat } from './heartbeat.ts';
import { runOperation } from './run-operation.ts';
import type { SandboxReserve } from './sandbox-reserve.ts';
import type { Work } from './work.ts';

export interface Worker {
  config: Config;
  api: ApiClient;
  redis: Redis;
  model: Model;
  sandboxes: SandboxReserve;
  log: Logger;
  /** The operations under way, by which a cancel or a shutdown reaches them. */
  running: Map<string, AbortController>;
}

export async function workOperation(worker: Worker, operationId: string): Promise<void> {
  const { api, config, log, running } = worker;
  let claim: Awaited<ReturnType<ApiClient['claim']>>;
  try {
    claim = await api.claim(operationId, config.workerName);
  } catch (error) {
    if (!(error instanceof FettleError) || !['conflict', 'not_found'].includes(error.code)) throw error;
    log.info({ operationId, why: error.message }, 'operation is not to be worked on');
    return;
  }

  const controller = new AbortController();
  running.set(operationId, controller);
  const { work, state } = createWork(worker, claim, controller.signal);
  const heartbeat = startHeartbeat({ api, claim, controller, totals: work.totals });
  const settle = (outcome: Outcome) =>
    api.settle(operationId, { fence: claim.fence, from: state(), outcome, totals: work.totals });
  try {
    const outcome = await runOrDescribe(work, log);
    if (outcome) await settle(outcome).catch((error) => settleAsFailed(error, settle));
  } catch (error) {
    if (!isTakenAway(error)) throw error;
    log.info({ operationId }, 'operation was taken away before it was settled');
  } finally {
    heartbeat.stop();
    running.delete(operationId);
  }
}

/** An outcome that the api does not accept is a bug, and still must not leave the operation looking as if it ran. */
async function settleAsFailed(error: unknown, settle: (outcome: Outcome) => Promise<void>): Promise<void> {
  if (isTakenAway(error)) throw error;
  await settle({ kind: 'failure', reason: 'internal', message: describe(error) });
}

/** Gives undefined when the operation is no longer ours: then there is nothing to settle. */
async function runOrDescribe(work: Work, log: Logger): Promise<Outcome | undefined> {
  const { operation } = work.claim;
  try {
    return await runOperation(work);
  } catch (error) {
    const stop: unknown = work.signal.aborted ? work.signal.reason : error;
    if (stop instanceof Stopped) {
      log.info({ operationId: operation.id, why: stop.why }, 'operation stopped');
      return stop.why === 'worker_stopped'
        ? { kind: 'failure', reason: stop.why, message: stop.message }
        : undefined;
    }
    if (isTakenAway(error)) return undefined;
    const reason: ReasonCode = error instanceof SandboxError ? 'sandbox_lost' : 'internal';
    log.error({ operationId: operation.id, err: error }, 'operation failed');
    return { kind: 'failure', reason, message: describe(error) };
  }
}

function createWork(
  { api, config, model, redis, sandboxes }: Worker,
  claim: Work['claim'],
  signal: AbortSignal,
) {
  const { id } = claim.operation;
  const { fence } = claim;
  const startedAt = performance.now();
  let state: State = 'preparing';
  let recorded = 0;
  const work: Work = {
    claim,
    config,
    model,
    signal,
    totals: { ...claim.operation.totals },
    takeSandbox: sandboxes.take,
    secondsSpent: () => (performance.now() - startedAt) / 1000,
    async record(...events) {
      signal.throwIfAborted();
      // One connection keeps their order, so that they need not wait for one another.
      const appending = events.map((event) =>
        appendEvent(redis, id, event, { key: `${fence}.${++recorded}`, fence }),
      );
      await Promise.all(appending);
    },
    async moveTo(next, message) {
      signal.throwIfAborted();
      await api.transition(id, { fence, from: state, to: next, ...(message !== undefined && { message }) });
      state = next;
    },
    openPullRequest: (proposal) => api.propose(id, { ...proposal, fence }),
  };
  return { work, state: () => state };
}

/** Another owner, or a person, changed the operation while we worked on it. */
function isTakenAway(error: unknown): boolean {
  if (error instanceof FencedError) return true;
  return error instanceof FettleError && (error.code === 'fenced' || error.code === 'conflict');
}

function describe(error: unknown): string {
  if (error instanceof GitError || error instanceof SandboxError) return error.message;
  return `${(error as Error).name}: ${(error as Error).message}`.slice(0, 1_000);
}
