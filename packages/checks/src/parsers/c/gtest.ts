/** GoogleTest. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const total = /^\[={10}\] (\d{1,9}) tests? from \d+ test (?:suites?|cases?) ran\./;
const passed = /^\[ {2}PASSED {2}\] (\d{1,9}) tests?\./;
const skipped = /^\[ {2}SKIPPED \] (\d{1,9}) tests?,/;
const failed = /^\[ {2}FAILED {2}\] ([\w/.-]+?)(?:, where .*)?(?: \(\d+ ms\))?$/;

export const gtest: Parser = {
  tool: 'gtest',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => total.test(line))) return undefined;
    const sum = (pattern: RegExp) =>
      lines.reduce((all, line) => all + Number(pattern.exec(line)?.[1] ?? 0), 0);
    const names = new Set(lines.flatMap((line) => failed.exec(line)?.[1] ?? []));
    const failures: CheckFailure[] = [...names].map((name) => ({ name, message: '' }));
    return { passed: sum(passed), failed: failures.length, skipped: sum(skipped), failures };
  },
};
