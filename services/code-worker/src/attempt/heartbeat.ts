import { type Claim, FettleError, isEnded, type Totals, workedStates } from '@fettle/contract';
import type { ApiClient } from './api-client.ts';
import type { Reach } from './create-attempt.ts';

export interface HeartbeatOptions {
  api: ApiClient;
  claim: Claim;
  reach: Reach;
  totals: Totals;
}

/**
 * Renews the lease, and stops the work when the api says that it is no longer ours or no longer wanted. An api that
 * is away says nothing: only it could give the operation to somebody else, so that the work goes on.
 */
export function startHeartbeat({ api, claim, reach, totals }: HeartbeatOptions) {
  const { stopSwitch, mailbox } = reach;
  const { operation, fence, leaseSeconds } = claim;
  let beating = false;

  async function beat(): Promise<void> {
    if (beating) return;
    beating = true;
    try {
      const { state, pauseRequested, messageCount } = await api.heartbeat(operation.id, fence, totals);
      mailbox.expect(messageCount);
      if (isEnded(state)) stopSwitch.stop('cancelled');
      else if (!(workedStates as readonly string[]).includes(state)) stopSwitch.stop('lease_lost');
      else if (pauseRequested) stopSwitch.askToYield('paused');
      else stopSwitch.goOn();
    } catch (error) {
      if (error instanceof FettleError && error.code === 'fenced') stopSwitch.stop('lease_lost');
    } finally {
      beating = false;
    }
  }

  const timer = setInterval(beat, (leaseSeconds * 1000) / 3);
  return { beat, stop: () => clearInterval(timer) };
}
