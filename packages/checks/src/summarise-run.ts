/** Sums a run up for the model: one line if it passed, its failures if it failed. */
import { classifyRun, type FinishedRun } from './classify-run.ts';
import { describeCounts, describeFailure } from './describe-report.ts';
import { plainLines } from './plain-lines.ts';
import { readReport } from './read-report.ts';

const maxFailures = 20;
const maxFailureLength = 800;
const maxTail = 1_500;
/** How much of an output is shown whose failures cannot be read. */
const maxUnread = 8_000;
const maxLine = 200;

export function summariseRun(run: FinishedRun): string {
  const { name, output, exitCode } = run;
  const report = readReport({ output, exitCode });
  const { status, obstacle } = classifyRun({ ...run, report });
  const counts = report ? `: ${describeCounts(report)} (${report.tool})` : '';
  const end = exitCode === null ? 'no exit code' : `exit code ${exitCode}`;
  const seconds = (run.durationMs / 1000).toFixed(1);
  if (status === 'passed') return `${name} passed in ${seconds} s${counts || lastLine(output)} (${end})`;
  if (obstacle)
    return `${name} could not run: ${obstacle.message} (${end})\nThe end of its output:\n${output.slice(-maxUnread)}`;
  const head = `${name} failed in ${seconds} s${counts} (${end})`;
  const failures = (report?.failures ?? []).map((failure) =>
    describeFailure(failure).slice(0, maxFailureLength),
  );
  if (failures.length === 0) return `${head}\nThe end of its output:\n${output.slice(-maxUnread)}`;
  const left = (report?.failed ?? 0) - Math.min(failures.length, maxFailures);
  const more = left > 0 ? [`… and ${left} more`] : [];
  const listed = [...failures.slice(0, maxFailures), ...more].join('\n');
  return `${head}\n${listed}\nThe end of its output:\n${output.slice(-maxTail)}`;
}

function lastLine(output: string): string {
  const line = plainLines(output.slice(-10_000)).findLast((text) => text.trim() !== '');
  return line === undefined ? '' : `: ${line.trim().slice(0, maxLine)}`;
}
