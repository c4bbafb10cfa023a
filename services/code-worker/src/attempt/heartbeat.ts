import { type Claim, FettleError, isEnded, type Totals, workedStates } from '@fettle/contract';
import type { ApiClient } from './api-client.ts';
import type { RunningAttempt } from './worker.ts';

export interface HeartbeatOptions {
  api: ApiClient;
  claim: Claim;
  running: RunningAttempt;
  totals: Totals;
}

/**
 * Renews the lease, and stops the attempt when the api says that the operation was cancelled or reassigned. While the
 * api is unreachable the attempt continues: only the api could reassign the operation.
 */
export function startHeartbeat({ api, claim, running, totals }: HeartbeatOptions) {
  const { stopSwitch, inbox } = running;
  const { operation, fence, leaseSeconds } = claim;
  let isBeating = false;

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      const { state, pauseRequested, messageCount } = await api.heartbeat(operation.id, fence, totals);
      inbox.expect(messageCount);
      if (isEnded(state)) stopSwitch.stop('cancelled');
      else if (!(workedStates as readonly string[]).includes(state)) stopSwitch.stop('lease_lost');
      else if (pauseRequested) stopSwitch.askToYield('paused');
      else stopSwitch.resume();
    } catch (error) {
      if (error instanceof FettleError && error.code === 'fenced') stopSwitch.stop('lease_lost');
    } finally {
      isBeating = false;
    }
  }

  const timer = setInterval(beat, (leaseSeconds * 1000) / 3);
  return { stop: () => clearInterval(timer) };
}
