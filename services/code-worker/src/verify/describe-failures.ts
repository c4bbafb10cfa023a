/** Describes failed checks for the model: how each ended, the failures with their positions, and the end of the output. */
import { fence } from '@fettle/agent';
import { describeCounts, describeFailure } from '@fettle/checks';
import type { CheckFailure, CheckResult, FaultEvidence } from '@fettle/contract';
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

/** How the message begins. It is on record, so a later attempt recognises it. */
export const testWanted = 'The checks are fine, but no test shows the fault.';

/** Asks once for a test that shows the fault. */
export function askForTest({ passesBefore }: FaultEvidence): string {
  const files = passesBefore.flatMap(({ file }) => (file === undefined ? [] : [`- ${file}`]));
  const found =
    files.length === 0
      ? 'The change contains no test that fails without it.'
      : `These tests of the change pass without it, too (data):\n${fence(files.join('\n'))}`;
  return `${testWanted} ${found}\n\nAdd a test that fails on the code as it was before your change and passes now, in the style of the existing tests, and finish again with your summary. Fettle runs it on both. If no test can show this fault, finish again and say why in one sentence.`;
}

function describeEnd({ name, command, exitCode, obstacle, report, hints = [] }: CheckResult): string {
  if (obstacle)
    return `${name} (${command}) could not run, although it runs on the base commit: ${obstacle.message}`;
  const how = `ended with exit code ${exitCode}`;
  const counts = report ? `: ${describeCounts(report)} (${report.tool})` : '';
  return [`${name} (${command}) ${how}${counts}.`, ...hints].join(' ');
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
