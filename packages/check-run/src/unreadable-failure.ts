/** A failure that nothing can be compared with, in the same words for `fettle check` and proposals. */
import type { CheckResult, Obstacle } from '@fettle/contract';

/** A check that fails before and after a change without naming its failures says nothing about the change. */
export const unreadable: Obstacle = {
  code: 'base_not_read',
  message: 'It failed before the change too, and its output does not say which failures are new.',
};

type Judged = Pick<CheckResult, 'status' | 'obstacle'>;

/** What a proposal would say about a check that fails like this on the base. */
export function excuseUnreadable<T extends Judged>(check: T, report: CheckResult['report']): T {
  const isReadable = report !== undefined && report.failures.length > 0;
  if (check.status !== 'failed' || isReadable) return check;
  const message = 'It fails without any change, and its output does not name the failures.';
  return { ...check, status: 'could_not_run', obstacle: { ...unreadable, message } };
}
