/** Decides what the checks of a commit prove. A pure function: the same results give the same proof. */
import type { Evidence, FaultEvidence, Kind, ProofStatus } from '@fettle/contract';
import type { JudgedCheck } from '../verify/base-checks.ts';
import type { Shortfall } from '../verify/verify.ts';

export interface Proof {
  status: ProofStatus;
  evidence: Evidence;
  /** Why the proposal can only be a draft. */
  shortfall?: Shortfall | undefined;
}

/** For these kinds of request, a check that failed before the change may be what the agent was asked to fix. */
const fixingKinds: Kind[] = ['fix', 'debug'];
export const isFixing = (kind: Kind) => fixingKinds.includes(kind);

export interface Assessed {
  kind: Kind;
  /** The checks of the commit in a fresh sandbox, compared with the base. */
  checks: JudgedCheck[];
  doubts: string[];
  fault?: FaultEvidence | undefined;
  /** Tests that fail on the base, and that the change edited or removed. */
  altered?: string[];
  /** Checks that were found, and whose programs are missing. */
  unusable?: Evidence['couldNotRun'];
}

export function assessProof({ kind, checks, doubts, fault, altered = [], unusable = [] }: Assessed): Proof {
  const evidence: Evidence = {
    passed: checks.filter(({ status }) => status === 'passed').map(toRan),
    redBefore: checks.filter(isRedBefore).map(toFailed),
    failed: checks
      .filter(({ status, comparison }) => status === 'failed' && comparison?.kind === 'new')
      .map(toFailed),
    couldNotRun: [
      ...checks.flatMap(({ name, command, obstacle }) => (obstacle ? [{ name, command, obstacle }] : [])),
      ...unusable,
    ],
    doubts: [...doubts, ...listDoubts(checks, altered)],
    ...(fault && { fault }),
  };
  const status = statusOf(evidence);
  return { status, evidence, shortfall: findShortfall({ kind, checks, evidence, altered, status }) };
}

/** What the results themselves leave open. */
function listDoubts(checks: JudgedCheck[], altered: string[]): string[] {
  const passed = checks.filter(({ status }) => status === 'passed');
  return [
    ...passed
      .filter(({ report }) => report?.passed !== undefined && report.failed > 0)
      .map(({ name, report }) => `${name} exits with 0, although ${report?.failed} tests fail.`),
    ...passed
      .filter(({ name, report }) => name === 'test' && report?.passed === undefined)
      .map(({ command }) => `Fettle cannot read from the output of «${command}» how many tests ran.`),
    ...(altered.length > 0
      ? [
          `These tests failed before the change, which edits or removes them: ${altered.slice(0, 5).join(', ')}.`,
        ]
      : []),
  ];
}

const isRedBefore = ({ status, comparison }: JudgedCheck) =>
  status === 'failed' && comparison?.kind === 'red before';

function statusOf({ passed, redBefore, failed, couldNotRun, doubts }: Evidence): ProofStatus {
  const hasPassedTests = redBefore.some(({ tests }) => tests && tests.passed > 0);
  if (failed.length > 0 || (passed.length === 0 && !hasPassedTests)) return 'unproven';
  const hasTests = passed.some(({ name }) => name === 'test');
  const isComplete = redBefore.length + couldNotRun.length + doubts.length === 0;
  return hasTests && isComplete ? 'proven' : 'partly proven';
}

function findShortfall({
  kind,
  checks,
  evidence,
  altered,
  status,
}: Pick<Assessed, 'kind' | 'checks'> & {
  evidence: Evidence;
  altered: string[];
  status: ProofStatus;
}): Shortfall | undefined {
  const caused = checks.filter(({ comparison }) => comparison?.kind === 'new').map(({ name }) => name);
  if (caused.length > 0) {
    const message = `${caused.join(', ')} failed or could not run in a fresh sandbox, unlike on the base commit`;
    return { reason: 'verification_failed', message };
  }
  if (isFixing(kind) && nothingFixed(checks, evidence))
    return {
      reason: 'verification_failed',
      message:
        'Every failure of the base commit remains, and no test fails before the change and passes after it',
    };
  if (isFixing(kind) && altered.length > 0 && !evidence.fault?.failsBefore.length)
    return {
      reason: 'verification_failed',
      message:
        'The change edits or removes tests that failed before it, and no test fails before the change and passes after it',
    };
  if (status !== 'unproven') return undefined;
  return { reason: 'unproven', message: describeUnproven(checks, evidence) };
}

function describeUnproven(checks: JudgedCheck[], { couldNotRun }: Evidence): string {
  if (checks.length > 0) return 'No check passed in a fresh sandbox';
  return couldNotRun.length > 0
    ? 'None of the checks that were found can run in the sandbox'
    : 'The repository has no checks that Fettle can run';
}

/** Whether the base is red, and the change turned nothing green. */
function nothingFixed(checks: JudgedCheck[], { fault }: Evidence): boolean {
  const red = checks.filter(isRedBefore);
  if (red.length === 0 || (fault && fault.failsBefore.length > 0)) return false;
  return red.every(({ comparison }) => comparison?.kind === 'red before' && comparison.fixed.length === 0);
}

function toRan({ name, command, durationMs, report }: JudgedCheck): Evidence['passed'][number] {
  const { passed, failed = 0, skipped = 0 } = report ?? {};
  const tests = passed === undefined ? undefined : { passed, failed, skipped };
  return { name, command, durationMs, ...(tests && { tests }) };
}

function toFailed(check: JudgedCheck): Evidence['failed'][number] {
  const { comparison, report } = check;
  const failures = comparison?.kind === 'new' ? comparison.failures : (report?.failures ?? []);
  const { hints } = check;
  return { ...toRan(check), failures, ...(hints && { hints }) };
}
