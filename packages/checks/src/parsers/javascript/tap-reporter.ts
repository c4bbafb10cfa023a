/** What the program `tap` prints by default. Its other reporter is the Test Anything Protocol. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

/** `Asserts:  2 pass  2 fail  4 of 4 complete`, and up to tap 16 `Asserts:   1 failed, 1 passed, of 2`. */
const asserts = /^Asserts: +(\d.*)$/;
const file = /^ (FAIL|PASS) {1,2}(\S+\.\w+)\b/;
const failed = /^ ?✖ (.+)$/;
const version = /^TAP version 1[34]$/;

export const tapReporter: Parser = {
  tool: 'tap',
  finds: 'tests',
  read({ lines }) {
    const summary = lines.findLast((line) => asserts.test(line));
    if (summary === undefined || lines.some((line) => version.test(line))) return undefined;
    const count = (pattern: RegExp) => Number(pattern.exec(summary.slice(0, 200))?.[1] ?? 0);
    return {
      passed: count(/(\d{1,9}) pass/),
      failed: count(/(\d{1,9}) fail/),
      skipped: count(/(\d{1,9}) skip/) + count(/(\d{1,9}) todo/),
      failures: listFailures(lines),
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  /** By name, because the reporter repeats them. */
  const failures = new Map<string, CheckFailure>();
  let path: string | undefined;
  for (const line of lines) {
    const [, , found] = file.exec(line) ?? [];
    if (found !== undefined) path = found;
    const [, text = ''] = failed.exec(line) ?? [];
    const name = path === undefined ? text : text.replace(` ${path}:`, '\n').split('\n')[0];
    if (name)
      failures.set(`${path} ${name}`, { ...(path !== undefined && { file: path }), name, message: '' });
  }
  return [...failures.values()];
}
