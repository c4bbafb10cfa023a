import type { CheckFailure, CheckResult } from '@fettle/contract';

/** What a check that failed shows that it did not show on the base commit. */
export type Comparison =
  | { kind: 'red before' }
  /** `failures` is empty where it cannot be told which of them are new. */
  | { kind: 'new'; failures: CheckFailure[]; before: number };

type Run = Pick<CheckResult, 'ok' | 'timedOut' | 'report'>;

export function compareWithBase(now: Run, base: Run | undefined): Comparison {
  const all = { kind: 'new' as const, failures: now.report?.failures ?? [], before: 0 };
  if (base === undefined || base.ok) return all;
  if (now.timedOut && !base.timedOut) return all;
  // Red, and that is all that is known of it.
  if (!base.report) return { kind: 'red before' };
  // It told what was wrong, and now it cannot: something else is wrong.
  if (!now.report) return all;
  const { failed: failedBefore, failures: known } = base.report;
  const { failed, failures } = now.report;
  if (failures.length === 0 && known.length > 0) return all;
  const fresh = withoutKnown(failures, known);
  const isMore = failed > failedBefore;
  if (fresh.length === 0 && !isMore) return { kind: 'red before' };
  // More failed before than was kept of it: these may have been among them.
  if (known.length < failedBefore && !isMore) return { kind: 'red before' };
  return { kind: 'new', failures: fresh, before: failures.length - fresh.length };
}

/** Each known one accounts for one: the same rule broken once more in the same file is new. */
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

/** Lines move and messages hold measurements: a test is known by its name, a broken rule by what it says. */
function keyOf({ file = '', name, rule = '', message }: CheckFailure): string {
  return JSON.stringify(name === undefined ? [file, rule, message] : [file, name]);
}
