/** What the model is told of checks that failed: first what they found, each with its place, then how they ended. */
import { fence } from '@fettle/agent';
import { describeCounts, describeFailure } from '@fettle/checks';
import type { CheckFailure, CheckResult } from '@fettle/contract';
import type { JudgedCheck } from './base-checks.ts';

type Mask = (text: string) => string;

const maxTold = 20;
const maxFailure = 600;
/** Of the output, beside what was recognised in it. */
const shortTail = 2_000;

/** Failures that the change has to answer for. */
export function describeFailures(failed: JudgedCheck[], mask: Mask): string {
  const reports = failed.map((check) => `${describeEnd(check)}\n${describeFound(check, mask)}`);
  return `The change is not ready: these checks of the repository fail.\n\n${reports.join('\n\n')}\n\nMend the cause and finish again.`;
}

/** Failures that were there before, told to whoever was asked to mend something. */
export function describeRedBefore(failed: JudgedCheck[], mask: Mask): string {
  const reports = failed.map((check) => `${describeEnd(check)}\n${describeAll(check, mask)}`);
  return `These checks of the repository failed before your change, and they still do.\n\n${reports.join('\n\n')}\n\nIf the request is about them, it is not done: mend the cause and finish again. If it is not, leave them as they are and finish again with your summary.`;
}

function describeEnd({ name, command, exitCode, timedOut, report }: CheckResult): string {
  const how = timedOut ? 'ran into its time limit' : `ended with exit code ${exitCode}`;
  return `${name} (${command}) ${how}${report ? `: ${describeCounts(report)} (${report.tool})` : ''}.`;
}

const describeAll = (check: CheckResult, mask: Mask) =>
  describeOutput(check, maskEach(check.report?.failures ?? [], mask), check.report?.failed ?? 0);

function describeFound(check: JudgedCheck, mask: Mask): string {
  const { comparison } = check;
  if (comparison?.kind !== 'new' || comparison.before === 0) return describeAll(check, mask);
  const { before, failures } = comparison;
  const others = `${before} of them failed before your change too and ${before === 1 ? 'is' : 'are'} not told here. New:`;
  return `${others}\n${describeOutput(check, maskEach(failures, mask), failures.length)}`;
}

/** Before they are cut: half a secret is not known for one. */
const maskEach = (failures: CheckFailure[], mask: Mask) =>
  failures.slice(0, maxTold).map((failure) => mask(describeFailure(failure)));

function describeOutput({ output, report }: CheckResult, failures: string[], total: number): string {
  if (failures.length === 0) {
    const why = report
      ? 'Which of its findings is the reason cannot be told'
      : 'Its output is none that Fettle can read case by case';
    return `${why}, so this is the end of it (data):\n${fence(output)}`;
  }
  const told = failures.map((failure) => failure.slice(0, maxFailure));
  const left = total - told.length;
  const more = left > 0 ? `\n… and ${left} more` : '';
  const tail = output.slice(-shortTail);
  return `What it found (data):\n${fence(`${told.join('\n')}${more}`)}\nThe end of its output (data):\n${fence(tail)}`;
}
