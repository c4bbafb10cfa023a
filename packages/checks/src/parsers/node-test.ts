import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../bounds.ts';
import type { Parser } from '../parser.ts';

const total = /^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)$/;
const place = /^test at (.+):(\d+):(\d+)$/;
const heading = /^✖ (.+) \([\d.]+ms\)(?: # .*)?$/;
const stack = /^ +at /;

export const nodeTest: Parser = {
  tool: 'node:test',
  finds: 'tests',
  read({ lines }) {
    const totals = new Map<string, number>();
    for (const line of lines) {
      const [, word, count] = total.exec(line) ?? [];
      if (word !== undefined) totals.set(word, (totals.get(word) ?? 0) + Number(count));
    }
    if (!totals.has('tests') || !totals.has('pass')) return undefined;
    const count = (word: string) => totals.get(word) ?? 0;
    return {
      passed: count('pass'),
      failed: count('fail') + count('cancelled'),
      skipped: count('skipped') + count('todo'),
      failures: listFailures(lines),
    };
  },
};

/** Below this heading each failure has a position. Above it, failures appear as they happen, including suites. */
const failing = '✖ failing tests:';

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let isFailing = false;
  let at: Partial<CheckFailure> = {};
  let open: CheckFailure | undefined;
  for (const line of lines) {
    if (line === failing) isFailing = true;
    // Another run starts here.
    else if (/^[▶✔]/.test(line)) isFailing = false;
    if (!isFailing) continue;
    const [, file = '', row, column] = place.exec(line) ?? [];
    const [, name] = heading.exec(line) ?? [];
    if (row !== undefined) {
      at = { file, line: Number(row), column: Number(column) };
      open = undefined;
    } else if (name !== undefined) {
      // Up to Node 18 no failure has a position. In later versions, one without a position belongs to another run.
      isFailing = at.file !== undefined || failures.at(-1)?.file === undefined;
      if (!isFailing) continue;
      open = { ...at, name, message: '' };
      failures.push(open);
      at = {};
    } else if (stack.test(line)) {
      open = undefined;
    } else if (open && open.message.length < maxMessage) {
      open.message += `${line.trim()}\n`;
    }
  }
  return failures;
}
