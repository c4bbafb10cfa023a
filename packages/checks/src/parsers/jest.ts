import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../bounds.ts';
import { countWords, type Parser } from '../parser.ts';

const suites = /^Test Suites: /;
const tests = /^Tests: {2,}/;
const noTests = /^No tests found, exiting with code /;
/** With colours, the word has a space on either side. */
const fileLine = /^ ?(FAIL|PASS) {1,2}(?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/;
const bullet = /^ {2}● (.+)$/;
const place = /^ +at (?:.* \()?([^\s()]+):(\d+):(\d+)\)?$/;
const codeFrame = /^ {1,8}>? {0,6}\d{0,7} {0,2}\|/;
const unloadable = 'Test suite failed to run';

export const jest: Parser = {
  tool: 'jest',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => suites.test(line) || noTests.test(line))) return undefined;
    const counts = countWords(lines.filter((line) => tests.test(line)).join('\n'));
    const failures = listFailures(lines);
    // A file that could not be loaded counts as a failure, but has no failed test.
    const unloaded = failures.filter(({ name }) => name === unloadable).length;
    return {
      passed: counts.get('passed') ?? 0,
      failed: (counts.get('failed') ?? 0) + unloaded,
      skipped: (counts.get('skipped') ?? 0) + (counts.get('todo') ?? 0),
      failures,
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  /** By file and name, because jest repeats all failures at the end if there are many. */
  const failures = new Map<string, CheckFailure>();
  let file: string | undefined;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, result, path] = fileLine.exec(line) ?? [];
    const [, name] = bullet.exec(line) ?? [];
    if (path !== undefined) {
      file = result === 'FAIL' ? path.replace(/^\.\//, '') : undefined;
      open = undefined;
    } else if (name !== undefined && file !== undefined) {
      open = { file, name, message: '' };
      const key = `${file}\n${name}`;
      if (name !== 'Console' && !failures.has(key)) failures.set(key, open);
    } else if (open) {
      readDetail(open, line);
    }
    if (suites.test(line)) open = undefined;
  }
  return [...failures.values()];
}

function readDetail(failure: CheckFailure, line: string): void {
  const [, file = '', row, column] = place.exec(line) ?? [];
  if (row === undefined) {
    const isText = failure.line === undefined && failure.message.length < maxMessage && !codeFrame.test(line);
    if (isText) failure.message += `${line.slice(4)}\n`;
  } else if (failure.line === undefined && file === failure.file) {
    Object.assign(failure, { line: Number(row), column: Number(column) });
  }
}
