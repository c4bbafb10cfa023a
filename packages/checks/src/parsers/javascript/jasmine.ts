import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total = /^(\d{1,9}) specs?, (\d{1,9}) failures?(?:, (\d{1,9}) pending specs?)?$/;
const heading = /^\d+\) (.+)$/;
const place = /^ +at (?:.* \()?([^\s()]+):(\d+):(\d+)\)?$/;

export const jasmine: Parser = {
  tool: 'jasmine',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, specs, failed, pending = 0] = total.exec(line) ?? [];
      return specs === undefined ? [] : [{ specs: +specs, failed: Number(failed), pending: Number(pending) }];
    });
    if (totals.length === 0) return undefined;
    const sum = (key: 'specs' | 'failed' | 'pending') => totals.reduce((all, each) => all + each[key], 0);
    return {
      passed: Math.max(0, sum('specs') - sum('failed') - sum('pending')),
      failed: sum('failed'),
      skipped: sum('pending'),
      failures: listFailures(lines),
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let isListing = false;
  let isMessage = false;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    if (/^(?:Failures|Pending):$/.test(line) || total.test(line)) {
      isListing = line === 'Failures:';
      open = undefined;
    }
    if (!isListing) continue;
    const [, name] = heading.exec(line) ?? [];
    const [, file, row, column] = place.exec(line) ?? [];
    if (name !== undefined) {
      open = { name, message: '' };
      failures.push(open);
    } else if (/^ {2}(?:Message|Stack):$/.test(line)) isMessage = line.includes('Message');
    else if (open && isMessage && open.message.length < maxMessage) open.message += `${line.trim()}\n`;
    // The position is part of the message: the stack may start in another file in the next run.
    else if (open && file !== undefined && !file.includes('node_modules/') && !/^at /m.test(open.message))
      open.message += `at ${file.replace('file://', '')}:${row}:${column}\n`;
  }
  return failures;
}
