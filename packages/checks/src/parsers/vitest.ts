import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../bounds.ts';
import { countWords, type Parser } from '../parser.ts';

const testFiles = /^ *Test Files {2}/;
const tests = /^ *Tests {2}/;
const errors = /^ *Errors {2}/;
const noTests = /^No test files found, exiting with code /;
const failed = /^ FAIL {2}(.+)$/;
/** With colours, its name has a space on either side. */
const project = /^(?:\|[^|]*\| | \S.*? {2})/;
const uncaught = /^⎯+ (Uncaught Exception|Unhandled Rejection|Unhandled Error) ⎯+$/;
const place = /^ ❯ (?:.* )?([^\s:]+):(\d+):(\d+)$/;

export const vitest: Parser = {
  tool: 'vitest',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => testFiles.test(line) || noTests.test(line))) return undefined;
    const counts = countWords(lines.filter((line) => tests.test(line)).join('\n'));
    const errorCount = countWords(lines.filter((line) => errors.test(line)).join('\n'));
    const failures = listFailures(lines);
    // A file that could not be loaded counts as a failure, but has no failed test.
    const suites = failures.filter(({ name }) => name === undefined).length;
    const others = (errorCount.get('error') ?? 0) + (errorCount.get('errors') ?? 0);
    return {
      passed: counts.get('passed') ?? 0,
      failed: (counts.get('failed') ?? 0) + suites + others,
      skipped: (counts.get('skipped') ?? 0) + (counts.get('todo') ?? 0),
      failures,
    };
  },
};

/** The message of one failure, or of several equal ones, which share it. */
interface Details {
  file: string | undefined;
  message: string;
  place?: Pick<CheckFailure, 'file' | 'line' | 'column'>;
}

function listFailures(lines: string[]): CheckFailure[] {
  const failures: { title: Pick<CheckFailure, 'file' | 'name'>; details: Details }[] = [];
  let details: Details | undefined;
  for (const line of lines) {
    const [, heading] = failed.exec(line) ?? [];
    const [, kind] = uncaught.exec(line) ?? [];
    if (heading !== undefined || kind !== undefined) {
      const title = heading === undefined ? { name: kind ?? '' } : splitTitle(heading);
      const isShared = details?.message.trim() === '';
      if (!details || !isShared) details = { file: title.file, message: '' };
      failures.push({ title, details });
    } else if (line.startsWith('⎯')) {
      details = undefined;
    } else if (details) {
      readDetail(details, line);
    }
  }
  return failures.map(({ title, details: { message, place } }) => ({
    ...(title.file === undefined || title.file === place?.file ? place : {}),
    ...title,
    message,
  }));
}

function readDetail(details: Details, line: string): void {
  if (details.place) return;
  const [, file = '', row, column] = place.exec(line) ?? [];
  if (row === undefined) {
    if (details.message.length < maxMessage) details.message += `${line}\n`;
  } else if (details.file === undefined || details.file === file) {
    details.place = { file, line: Number(row), column: Number(column) };
  }
}

/** `|project| a.test.ts > suite > name`. A file that failed as a whole appears twice: `a.test.ts [ a.test.ts ]`. */
function splitTitle(title: string): Pick<CheckFailure, 'file' | 'name'> {
  const [file = '', ...names] = title.replace(project, '').trim().split(' > ');
  if (names.length > 0) return { file, name: names.join(' > ') };
  const bracket = file.indexOf(' [ ');
  return { file: bracket === -1 ? file : file.slice(0, bracket) };
}
