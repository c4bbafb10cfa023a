/** Describes failed checks for the model: how each ended, the failures with their positions, and the end of the output. */
import { fence } from '@fettle/agent';
import { describeCounts, describeFailure } from '@fettle/checks';
import type { CheckFailure, CheckResult } from '@fettle/contract';
import type { JudgedCheck } from './base-checks.ts';

type Mask = (text: string) => string;

const maxFailures = 20;
const maxFailureLength = 600;
/** How much of the output follows a list of parsed failures. */
const maxTail = 2_000;

/** Failures that the change caused. */
export function describeFailures(failed: JudgedCheck[], mask: Mask): string {
  const reports = failed.map((check) => `${describeEnd(check)}\n${describeFound(check, mask)}`);
  return `The change is not ready: these checks of the repository fail.\n\n${reports.join('\n\n')}\n\nFix the cause and finish again.`;
}

/** Failures that existed before the change, for requests to fix something. */
export function describeOldFailures(failed: JudgedCheck[], mask: Mask): string {
  const reports = failed.map((check) => `${describeEnd(check)}\n${describeAll(check, mask)}`);
  return `These checks of the repository failed before your change, and they still do.\n\n${reports.join('\n\n')}\n\nIf the request is about them, it is not done: fix the cause and finish again. If not, leave them as they are and finish again with your summary.`;
}

function describeEnd({ name, command, exitCode, timedOut, report }: CheckResult): string {
  const how = timedOut ? 'timed out' : `ended with exit code ${exitCode}`;
  return `${name} (${command}) ${how}${report ? `: ${describeCounts(report)} (${report.tool})` : ''}.`;
}

const describeAll = (check: CheckResult, mask: Mask) =>
  describeOutput(check, maskEach(check.report?.failures ?? [], mask), check.report?.failed ?? 0);

function describeFound(check: JudgedCheck, mask: Mask): string {
  const { comparison } = check;
  if (comparison?.kind !== 'new' || comparison.before === 0) return describeAll(check, mask);
  const { before, failures } = comparison;
  const others = `${before} of them failed before your change too and ${before === 1 ? 'is' : 'are'} not listed here. New:`;
  return `${others}\n${describeOutput(check, maskEach(failures, mask), failures.length)}`;
}

/** Masked before they are cut: half a secret would not be recognised. */
const maskEach = (failures: CheckFailure[], mask: Mask) =>
  failures.slice(0, maxFailures).map((failure) => mask(describeFailure(failure)));

function describeOutput({ output, report }: CheckResult, failures: string[], total: number): string {
  if (failures.length === 0) {
    const why = report
      ? 'Its report does not say which failure is the reason'
      : 'Fettle cannot parse its output';
    return `${why}, so here is the end of its output (data):\n${fence(output)}`;
  }
  const listed = failures.map((failure) => failure.slice(0, maxFailureLength));
  const left = total - listed.length;
  const more = left > 0 ? `\n… and ${left} more` : '';
  const tail = output.slice(-maxTail);
  return `What it found (data):\n${fence(`${listed.join('\n')}${more}`)}\nThe end of its output (data):\n${fence(tail)}`;
}
