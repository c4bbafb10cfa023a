/** The test runs of Maven. */
import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

/** The line of a class ends with its time; the summary of a module does not. */
const total =
  /^(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})$/;
/** `[ERROR] com.x.AppTest.adds -- Time elapsed: 0.01 s <<< FAILURE!`, and in older versions `adds(com.x.AppTest)  Time elapsed: …`. */
const failed = /^(?:\[ERROR\] )?(\S.*?)(?: --|) +Time elapsed: [\d.]+ s(?:ec)? +<<< (?:FAILURE|ERROR)!$/;
const place = /^\s+at \S+\((\w+\.(?:java|kt|scala|groovy)):(\d+)\)$/;

export const surefire: Parser = {
  tool: 'surefire',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, ...counts] = total.exec(line) ?? [];
      return counts.length === 0 ? [] : [counts.map(Number)];
    });
    if (totals.length === 0) return undefined;
    const sum = (at: number) => totals.reduce((all, counts) => all + (counts[at] ?? 0), 0);
    const failedCount = sum(1) + sum(2);
    return {
      passed: Math.max(0, sum(0) - failedCount - sum(3)),
      failed: failedCount,
      skipped: sum(3),
      failures: listFailures(lines),
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, title] = failed.exec(line) ?? [];
    if (title !== undefined && !title.startsWith('Tests run:')) {
      open = { name: toName(title), message: '' };
      failures.push(open);
    } else if (open) {
      const [, file, row] = place.exec(line) ?? [];
      if (line.trim() === '' || line.startsWith('[')) open = undefined;
      else if (file !== undefined) open.message += /^at /m.test(open.message) ? '' : `at ${file}:${row}\n`;
      else if (!/^\s+at /.test(line) && open.message.length < maxMessage) open.message += `${line.trim()}\n`;
    }
  }
  return failures;
}

function toName(title: string): string {
  const [, method, owner] = /^(.+)\(([\w.$]+)\)$/.exec(title) ?? [];
  return method === undefined ? title : `${owner}.${method}`;
}
