import { FettleError, type Outcome, type ReleaseInput } from '@fettle/contract';
import { describeError } from './explain-error.ts';

export type Release = Pick<ReleaseInput, 'why' | 'reason' | 'message'>;

export interface WaysToEnd {
  settle(outcome: Outcome): Promise<void>;
  release(input: Release): Promise<void>;
}

/**
 * Ends an attempt whose outcome the api did not take. One that it refuses is a bug, and still must not leave the
 * operation looking as if it ran. An api that failed in itself says nothing about the outcome: that stays, on record,
 * for the next attempt to bring again.
 */
export async function endUnsettled(error: unknown, { settle, release }: WaysToEnd): Promise<void> {
  const message = describeError(error);
  const isRefused = error instanceof FettleError && error.status < 500;
  if (isRefused) await settle({ kind: 'failure', reason: 'internal', message });
  else await release({ why: 'went_wrong', reason: 'internal', message });
}
