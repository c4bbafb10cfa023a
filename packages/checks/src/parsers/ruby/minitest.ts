/** minitest (also as Rails runs it) and test-unit. */
import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total =
  /^(\d{1,9}) (?:runs|tests), \d+ assertions, (\d{1,9}) failures, (\d{1,9}) errors, (?:(\d{1,9}) skips|(\d{1,9}) pendings, (\d{1,9}) omissions, \d+ notifications)$/;
const kind = /^(?: {2}\d+\) )?(?:Failure|Error):$/;
const failed = /^(?:Minitest: )?([\w:]+#\S.*?)(?: \[(\S+?):(\d+)\])?:$/;
const testUnit = /^(?:Failure|Error): (\S+)\(([\w:]+)\)(?:: (.*))?$/;
const place = /^ {0,4}(\S+\.rb):(\d+):in /;

export const minitest: Parser = {
  tool: 'minitest',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [found, ...counts] = total.exec(line) ?? [];
      return found === undefined ? [] : [counts.map((count) => Number(count ?? 0))];
    });
    if (totals.length === 0) return undefined;
    const sum = (...at: number[]) =>
      totals.reduce((all, counts) => all + at.reduce((one, each) => one + (counts[each] ?? 0), 0), 0);
    const failedCount = sum(1, 2);
    const skipped = sum(3, 4, 5);
    return {
      passed: Math.max(0, sum(0) - failedCount - skipped),
      ...{ failed: failedCount, skipped, failures: listFailures(lines) },
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let open: CheckFailure | undefined;
  let isTitle = false;
  for (const line of lines) {
    const [, name, file, row] = isTitle ? (failed.exec(line) ?? []) : [];
    const [, test, owner, text] = testUnit.exec(line) ?? [];
    isTitle = kind.test(line);
    if (name !== undefined) {
      open = { name, message: file === undefined ? '' : `at ${file}:${row}\n` };
      failures.push(open);
    } else if (test !== undefined) {
      open = { name: `${owner}#${test}`, message: text === undefined ? '' : `${text}\n` };
      failures.push(open);
    } else if (isTitle || /^(?:={5}|-{5})/.test(line) || total.test(line)) open = undefined;
    else if (open) readDetail(open, line);
  }
  return failures;
}

function readDetail(failure: CheckFailure, line: string): void {
  const [, file, row] = place.exec(line) ?? [];
  if (file !== undefined) {
    if (!/^at /m.test(failure.message)) failure.message += `at ${file}:${row}\n`;
  } else if (line.trim() !== '' && failure.message.length < maxMessage && !/^ +(?:=> )?\d+: /.test(line))
    failure.message += `${line.trim()}\n`;
}
