import type { CheckFailure, CheckResult } from '@fettle/contract';

/** How a failed check differs from the same check on the base commit. */
export type Comparison =
  | { kind: 'red before' }
  /** `failures` is empty if the new failures are unknown. */
  | { kind: 'new'; failures: CheckFailure[]; before: number };

type Run = Pick<CheckResult, 'ok' | 'timedOut' | 'report'>;

export function compareWithBase(now: Run, base: Run | undefined): Comparison {
  const all = { kind: 'new' as const, failures: now.report?.failures ?? [], before: 0 };
  if (base === undefined || base.ok) return all;
  if (now.timedOut && !base.timedOut) return all;
  // It failed before, and there are no details to compare.
  if (!base.report) return { kind: 'red before' };
  // The base had a report and this run has none, so it fails for another reason.
  if (!now.report) return all;
  const { failed: failedBefore, failures: known } = base.report;
  const { failed, failures } = now.report;
  if (failures.length === 0 && known.length > 0) return all;
  const fresh = withoutKnown(failures, known);
  const isMore = failed > failedBefore;
  if (fresh.length === 0 && !isMore) return { kind: 'red before' };
  // The report of the base was truncated, so these failures may not be new.
  if (known.length < failedBefore && !isMore) return { kind: 'red before' };
  return { kind: 'new', failures: fresh, before: failures.length - fresh.length };
}

/** Each known failure cancels one. A rule that is broken once more in the same file is a new failure. */
function withoutKnown(failures: CheckFailure[], known: CheckFailure[]): CheckFailure[] {
  const counts = new Map<string, number>();
  for (const key of known.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return failures.filter((failure) => {
    const key = keyOf(failure);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Line numbers move and messages contain times, so a test is identified by its name, and a broken rule by its message. */
function keyOf({ file = '', name, rule = '', message }: CheckFailure): string {
  return JSON.stringify(name === undefined ? [file, rule, message] : [file, name]);
}
