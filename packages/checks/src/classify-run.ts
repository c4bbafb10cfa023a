/** Decides whether a check passed, failed, or did not really run. A check that did not run proves nothing either way. */
import type { CheckName, CheckReport, CheckStatus, Obstacle } from '@fettle/contract';
import { findEnvironmentProblem, findProgram } from './obstacles/find-obstacle.ts';
import { noTests, testGroups } from './obstacles/no-tests.ts';
import { findHiddenProgram } from './obstacles/own-program.ts';
import { plainLines } from './plain-lines.ts';

export interface FinishedRun {
  name: CheckName;
  command?: string | undefined;
  exitCode: number | null;
  signal?: string | null | undefined;
  timedOut: boolean;
  outOfMemory?: boolean | undefined;
  durationMs: number;
  output: string;
  report?: CheckReport | undefined;
}

export interface Classified {
  status: CheckStatus;
  /** Present if, and only if, the check could not run. */
  obstacle?: Obstacle;
}

export function classifyRun(run: FinishedRun): Classified {
  const obstacle = findObstacle(run);
  if (obstacle) return { status: 'could_not_run', obstacle };
  // A script such as `node --test || true` exits with 0.
  const failedTests = run.name === 'test' && run.report?.passed !== undefined && run.report.failed > 0;
  return { status: run.exitCode === 0 && !failedTests ? 'passed' : 'failed' };
}

function findObstacle(run: FinishedRun): Obstacle | undefined {
  const { name, command = '', exitCode, signal, timedOut, outOfMemory, durationMs, output } = run;
  const seconds = Math.round(durationMs / 1000);
  if (timedOut) return { code: 'timeout', message: `It did not finish within ${seconds} s.` };
  if (outOfMemory || (exitCode !== 0 && heapExhausted.test(output)))
    return { code: 'out_of_memory', message: 'It ran out of memory.' };
  if (signal || exitCode === null || exitCode === 137 || exitCode === 143)
    return { code: 'killed', message: `It was killed${signal ? ` by ${signal}` : ''} before it finished.` };
  const lines = plainLines(output);
  if (exitCode === 126)
    return { code: 'not_executable', message: describeProgram(lines, 'is not executable') };
  if (exitCode === 127)
    return { code: 'missing_program', message: describeProgram(lines, 'is not installed') };
  const problem = exitCode === 0 ? undefined : findEnvironmentProblem(lines, run.report);
  if (problem) return problem;
  if (exitCode !== 0 && !hasTestResults(run) && output.includes(refusedPackages))
    return { code: 'missing_package', message: 'It needs packages that set-up did not install.' };
  const hidden = exitCode === 0 && !hasTestResults(run) ? findHiddenProgram(command, lines) : undefined;
  if (hidden !== undefined)
    return { code: 'missing_program', message: `\`${hidden.replaceAll('`', '')}\` is not installed.` };
  if (name === 'test' && ranNoTest(run, lines)) return { code: 'no_tests', message: 'It executed no test.' };
  return undefined;
}

const hasTestResults = ({ report }: FinishedRun) =>
  report?.passed !== undefined && report.passed + report.failed > 0;

/** The answer of the registries of a sandbox while no packages are installed. */
const refusedPackages = 'Packages are available only during set-up';

const heapExhausted = /JavaScript heap out of memory|^fatal error: runtime: out of memory|^MemoryError$/m;
const maxLine = 500;

function describeProgram(lines: string[], problem: string): string {
  const program = findProgram(lines);
  return program === undefined ? `A program that it needs ${problem}.` : `\`${program}\` ${problem}.`;
}

function ranNoTest({ report }: FinishedRun, lines: string[]): boolean {
  if (report?.passed !== undefined) return report.passed + report.failed === 0;
  if (report) return false;
  for (const { line: isGroup, isEmpty } of testGroups) {
    const groups = lines.filter((line) => isGroup.test(line.replaceAll('\t', ' ')));
    const empty = groups.filter((line) => isEmpty.test(line.replaceAll('\t', ' ')));
    if (empty.length > 0) return empty.length === groups.length;
  }
  return lines.some((line) => noTests.some((pattern) => pattern.test(line.slice(0, maxLine))));
}
