import { type CheckFailure, type CheckReport, type CheckResult, maxFailuresKept } from '@fettle/contract';

/** How a check that did not pass differs from the same check on the base commit. */
export type Comparison =
  /** No failure that the base does not have, by name. `fixed` are failures of the base that are gone. */
  | { kind: 'red before'; fixed: CheckFailure[] }
  /** The base is red too, and the failures of one of the two runs cannot be identified. */
  | { kind: 'not comparable' }
  /** It could not run on the base either. */
  | { kind: 'never ran' }
  /** `failures` is empty if the new failures are unknown. */
  | { kind: 'new'; failures: CheckFailure[]; before: number };

type Run = Pick<CheckResult, 'status' | 'report' | 'obstacle'>;

export function compareWithBase(now: Run, base: Run | undefined): Comparison {
  const failures = now.report?.failures ?? [];
  const all = { kind: 'new' as const, failures, before: 0 };
  if (base === undefined || base.status === 'passed') return all;
  const known = base.report?.failures ?? [];
  const fresh = withoutKnown(failures, known);
  const more = { kind: 'new' as const, failures: fresh, before: failures.length - fresh.length };
  if (now.status === 'could_not_run' || base.status === 'could_not_run') {
    // A test that ran and failed counts, whatever else did not run.
    if (countsTests(base) && fresh.some(({ name }) => name !== undefined)) return more;
    if (now.status !== 'could_not_run') return { kind: 'not comparable' };
    return base.status === 'could_not_run' ? { kind: 'never ran' } : all;
  }
  if (!base.report) return { kind: 'not comparable' };
  // The base had a report and this run has none, so it fails for another reason.
  if (!now.report) return all;
  const isMore = now.report.failed > base.report.failed;
  if (known.length === 0) return isMore && fresh.length > 0 ? more : { kind: 'not comparable' };
  if (failures.length === 0) return all;
  // One new failure for one that is gone would not show: either may be among those that the lists lack.
  if (fresh.length === 0 && !isMore && (isCut(now.report) || isCut(base.report)))
    return { kind: 'not comparable' };
  if (fresh.length === 0 && !isMore) return { kind: 'red before', fixed: withoutKnown(known, failures) };
  // The report of the base was truncated, so these failures may not be new.
  if (known.length < base.report.failed && !isMore) return { kind: 'not comparable' };
  return more;
}

const isCut = ({ failed, failures }: CheckReport) =>
  failures.length >= maxFailuresKept && failed > failures.length;

/** Whether the tests of a run are known, even if there are none. */
const countsTests = ({ report, obstacle }: Run) =>
  report?.passed !== undefined || obstacle?.code === 'no_tests';

/** Each known failure cancels one. A rule that is broken once more in the same file is a new failure. */
export function withoutKnown(failures: CheckFailure[], known: CheckFailure[]): CheckFailure[] {
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
