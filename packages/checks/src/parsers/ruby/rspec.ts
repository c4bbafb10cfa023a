import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;
const listed = /^rspec '?(?:\.\/)?([^\s:'[]+)(?::(\d+)|\[[\d:]+\])'? # (.+)$/;
const heading = /^ {2}\d+\) (.+)$/;
const unloaded = /^An error occurred while loading (?:\.\/)?(\S+?)\.?$/;

export const rspec: Parser = {
  tool: 'rspec',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [found, ...counts] = total.exec(line) ?? [];
      return found === undefined ? [] : [counts.map((count) => Number(count ?? 0))];
    });
    if (totals.length === 0) return undefined;
    const sum = (at: number) => totals.reduce((all, counts) => all + (counts[at] ?? 0), 0);
    return {
      passed: Math.max(0, sum(0) - sum(1) - sum(2)),
      failed: sum(1) + sum(3),
      skipped: sum(2),
      failures: listFailures(lines),
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const messages = new Map<string, string>();
  const failures: CheckFailure[] = [];
  let name: string | undefined;
  let isFailures = false;
  for (const line of lines) {
    const [, file, row, title = ''] = listed.exec(line) ?? [];
    const [, found] = heading.exec(line) ?? [];
    const [, broken] = unloaded.exec(line) ?? [];
    if (/^\S/.test(line)) isFailures = line === 'Failures:';
    if (broken !== undefined) failures.push({ file: broken, message: line });
    if (file !== undefined)
      failures.push({
        ...{ file, ...(row !== undefined && { line: Number(row) }), name: title },
        message: messages.get(title) ?? '',
      });
    if (isFailures && found !== undefined) name = found;
    else if (isFailures && name !== undefined && /^ {5}[^\s#]|^ {7}/.test(line)) {
      const known = messages.get(name) ?? '';
      if (known.length < maxMessage) messages.set(name, `${known}${line.trim()}\n`);
    }
  }
  return failures;
}
