import type { CheckReport } from '@fettle/contract';
import { boundFailures } from './bounds.ts';
import { readJunit } from './junit/read-junit.ts';
import type { Parser, Reading } from './parser.ts';
import { parsers } from './parser-table.ts';
import { makeRelative, plainLines } from './plain-lines.ts';

/** A file that the check wrote. */
export interface ReportFile {
  path: string;
  text: string;
}

export interface CheckOutput {
  output: string;
  exitCode: number | null;
  /** Files that this run wrote. */
  reports?: ReportFile[];
  /** The folder of the check, as it appears in the output. */
  folder?: string | undefined;
}

interface Recognised extends Reading {
  tool: string;
}

/**
 * The results of a check, or undefined if no tool is recognised. One command may run several tools
 * (`tsc && vitest run`), whose results are added up. Tests in a report file are not counted again from the output.
 */
export function readReport({ output, exitCode, reports = [], folder }: CheckOutput): CheckReport | undefined {
  const lines = plainLines(output, folder);
  const files = reports.flatMap(({ text }) => readJunit(makeRelative(text, folder)) ?? []);
  const wanted = parsers
    // In a successful run, lines that look like problems are ordinary text.
    .filter(({ finds }) => (finds === 'problems' ? exitCode !== 0 : files.length === 0));
  const readWith = (some: Parser[]) =>
    some.flatMap(({ tool, read }): Recognised[] => {
      const reading = read({ lines, exitCode });
      return reading ? [{ tool, ...reading }] : [];
    });
  const known = readWith(wanted.filter(({ isFallback }) => !isFallback));
  const hasTests = known.some(({ passed }) => passed !== undefined);
  const others = hasTests ? [] : readWith(wanted.filter(({ isFallback }) => isFallback));
  return addUp([...known, ...others, ...files.map((reading) => ({ tool: 'junit', ...reading }))]);
}

function addUp(readings: Recognised[]): CheckReport | undefined {
  if (readings.length === 0) return undefined;
  const tests = readings.filter(({ passed }) => passed !== undefined);
  const sum = (values: (number | undefined)[]) => values.reduce<number>((all, value = 0) => all + value, 0);
  return {
    tool: [...new Set(readings.map(({ tool }) => tool))].join(', '),
    ...(tests.length > 0 && { passed: sum(tests.map(({ passed }) => passed)) }),
    failed: sum(readings.map(({ failed }) => failed)),
    ...(tests.length > 0 && { skipped: sum(tests.map(({ skipped }) => skipped)) }),
    failures: boundFailures(readings.flatMap(({ failures }) => failures)),
  };
}
