import { type Claim, FettleError, isSettled, type Totals } from '@fettle/contract';
import type { ApiClient } from './api-client.ts';

/** Why an attempt has to end before it is done. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly why: 'cancelled' | 'lease_lost' | 'worker_stopped';

  constructor(why: 'cancelled' | 'lease_lost' | 'worker_stopped') {
    super(why === 'worker_stopped' ? 'the worker was stopped' : `the operation was ${why.replace('_', ' ')}`);
    this.why = why;
  }
}

export interface HeartbeatOptions {
  api: ApiClient;
  claim: Claim;
  controller: AbortController;
  totals: Totals;
}

/** Renews the lease, and stops the work when the api says that it is no longer ours or no longer wanted. */
export function startHeartbeat({ api, claim, controller, totals }: HeartbeatOptions) {
  const { operation, fence, leaseSeconds } = claim;
  let renewedAt = performance.now();

  async function beat(): Promise<void> {
    try {
      const state = await api.heartbeat(operation.id, fence, totals);
      renewedAt = performance.now();
      if (isSettled(state)) controller.abort(new Stopped('cancelled'));
    } catch (error) {
      const refused = error instanceof FettleError && error.code === 'fenced';
      const expired = performance.now() - renewedAt > leaseSeconds * 1000;
      if (refused || expired) controller.abort(new Stopped('lease_lost'));
    }
  }

  const timer = setInterval(beat, (leaseSeconds * 1000) / 3);
  return { stop: () => clearInterval(timer) };
}
