import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const version = /^PHPUnit \d+\./;
const ok = /^OK \((\d{1,9}) tests?, \d+ assertions?\)$/;
const total = /^Tests: (\d{1,9}), Assertions: \d+(.*)\.$/;
const none = /^No tests executed!$/;
const section = /^There (?:was|were) \d+ (.+):$/;
const heading = /^\d+\) (.+)$/;
const place = /^(\S.*\.php):(\d+)$/;

export const phpunit: Parser = {
  tool: 'phpunit',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => version.test(line))) return undefined;
    const sums = { all: 0, failed: 0, skipped: 0 };
    let isEnded = false;
    for (const line of lines) {
      const [, fine] = ok.exec(line) ?? [];
      const [, all, rest = ''] = total.exec(line) ?? [];
      isEnded ||= none.test(line) || fine !== undefined || all !== undefined;
      sums.all += Number(fine ?? all ?? 0);
      for (const [, word = '', count] of rest.slice(0, 300).matchAll(/ ([A-Z][a-z]+): (\d{1,9})/g)) {
        if (word === 'Errors' || word === 'Failures') sums.failed += Number(count);
        if (word === 'Skipped' || word === 'Incomplete') sums.skipped += Number(count);
      }
    }
    if (!isEnded) return undefined;
    const { all, failed, skipped } = sums;
    return { passed: Math.max(0, all - failed - skipped), failed, skipped, failures: listFailures(lines) };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let isFailures = false;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, kind] = section.exec(line) ?? [];
    if (kind !== undefined) isFailures = /^(?:errors?|failures?)$/.test(kind);
    if (!isFailures) continue;
    const [, name] = heading.exec(line) ?? [];
    const [, file, row] = place.exec(line) ?? [];
    if (name !== undefined) {
      open = { name: name.replace(/ \([^"]*\)$/, ''), message: '' };
      failures.push(open);
    } else if (/^(?:--|ERRORS!|FAILURES!|Tests: .*)$/.test(line)) open = undefined;
    else if (open && file !== undefined) {
      if (!file.includes('vendor/') && !/^at /m.test(open.message)) open.message += `at ${file}:${row}\n`;
    } else if (open && line !== '' && open.message.length < maxMessage) open.message += `${line}\n`;
  }
  return failures;
}
