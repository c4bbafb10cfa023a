import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const total = /^\d+ files? inspected, (\d{1,9}) offenses? detected/;
const problem = /^(\S[^:]*):(\d+):(\d+): [A-Z]: (?:\[\w+\] )*([A-Z]\w+\/\w+(?:\/\w+)*): (.*)$/;

export const rubocop: Parser = {
  tool: 'rubocop',
  finds: 'problems',
  read({ lines }) {
    const totals = lines.flatMap((line) => total.exec(line)?.[1] ?? []);
    if (totals.length === 0) return undefined;
    const failures = lines.flatMap((line): CheckFailure[] => {
      const [, file, row, column, rule = '', message = ''] = problem.exec(line) ?? [];
      return file === undefined ? [] : [{ file, line: Number(row), column: Number(column), rule, message }];
    });
    const failed = totals.reduce((sum, count) => sum + Number(count), 0);
    return { failed: Math.max(failed, failures.length), failures };
  },
};
