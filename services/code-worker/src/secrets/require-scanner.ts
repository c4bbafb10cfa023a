import type { Attempt } from '../attempt/attempt.ts';
import { RetryLater } from '../attempt/ends.ts';

/**
 * A change cannot be proposed without gitleaks, so the attempt ends before the first model call. It is retried later,
 * when an operator may have installed it. An answer needs no scan.
 */
export async function requireScanner({ claim, secrets }: Pick<Attempt, 'claim' | 'secrets'>): Promise<void> {
  if (claim.operation.request.kind === 'ask') return;
  const problem = await secrets.gitleaks.problem();
  if (problem !== undefined) throw new RetryLater('scanner_unavailable', problem, { why: 'waits' });
}
