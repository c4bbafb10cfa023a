/** The type checkers mypy and pyright. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

interface TypeChecker {
  tool: string;
  total: RegExp;
  problem: RegExp;
  rule: RegExp;
}

const checkers: TypeChecker[] = [
  {
    tool: 'mypy',
    total: /^Found (\d{1,9}) errors? in \d+ files? \(/,
    problem: /^([^\s:][^:]*):(\d+)(?::(\d+))?: error: (.*)$/,
    rule: / {2}\[([\w-]+)\]$/,
  },
  {
    tool: 'pyright',
    total: /^(\d{1,9}) errors?, \d+ warnings?\b/,
    problem: /^ {2}([^\s:][^:]*):(\d+):(\d+) - error: (.*)$/,
    rule: / \((report\w+)\)$/,
  },
];

const read = ({ tool, total, problem, rule }: TypeChecker): Parser => ({
  tool,
  finds: 'problems',
  read({ lines }) {
    const totals = lines.flatMap((line) => total.exec(line)?.[1] ?? []);
    if (totals.length === 0) return undefined;
    const failures: CheckFailure[] = lines.flatMap((line) => {
      const [, file, row, column, text = ''] = problem.exec(line) ?? [];
      if (file === undefined) return [];
      const [whole = '', name] = rule.exec(text) ?? [];
      return [
        {
          ...{ file, line: Number(row), ...(column !== undefined && { column: Number(column) }) },
          ...(name !== undefined && { rule: name }),
          message: whole === '' ? text : text.slice(0, -whole.length),
        },
      ];
    });
    const failed = totals.reduce((sum, count) => sum + Number(count), 0);
    return { failed: Math.max(failed, failures.length), failures };
  },
});

export const typeCheckerParsers: Parser[] = checkers.map(read);
