import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total = /^(\d{1,9}) tests? completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?$/;
const task = /^> Task \S+/;
const ended = /^(\S.* > .+) (FAILED|PASSED|SKIPPED)$/;

/** Gradle counts tests only if one failed, or if the build logs each of them. */
export const gradle: Parser = {
  tool: 'gradle',
  finds: 'tests',
  read({ lines }) {
    const isGradle = lines.some((line) => task.test(line) || /^BUILD (?:SUCCESSFUL|FAILED) in /.test(line));
    const totals = lines.flatMap((line) => {
      const [, all, failed = 0, skipped = 0] = total.exec(line) ?? [];
      return all === undefined ? [] : [{ all: +all, failed: Number(failed), skipped: Number(skipped) }];
    });
    const tests = lines.flatMap((line) => ended.exec(line)?.[2] ?? []);
    if (!isGradle || totals.length + tests.length === 0) return undefined;
    const sum = (key: 'all' | 'failed' | 'skipped') => totals.reduce((sums, each) => sums + each[key], 0);
    const count = (wanted: string) => tests.filter((result) => result === wanted).length;
    const failed = Math.max(sum('failed'), count('FAILED'));
    const skipped = Math.max(sum('skipped'), count('SKIPPED'));
    return {
      passed: Math.max(sum('all') - failed - skipped, count('PASSED'), 0),
      ...{ failed, skipped, failures: listFailures(lines) },
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, name, result] = ended.exec(line) ?? [];
    if (name !== undefined) {
      open = result === 'FAILED' ? { name, message: '' } : undefined;
      if (open) failures.push(open);
    } else if (open && /^ {4}/.test(line)) {
      if (open.message.length < maxMessage && !/^ +at /.test(line)) open.message += `${line.trim()}\n`;
    } else if (line !== '') open = undefined;
  }
  return failures;
}
