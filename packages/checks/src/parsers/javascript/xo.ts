import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const total = /^ {2}(\d{1,9}) (error|warning)s?$/;
const heading = /^ {2}(\S.*?)(?::\d+:\d+)?$/;
const problem = /^ {2}([✖×⚠‼]) +(\d+):(\d+) +(\S.*)$/;

export const xo: Parser = {
  tool: 'xo',
  finds: 'problems',
  read({ lines }) {
    const errors = lines.reduce((sum, line) => {
      const [, count, word] = total.exec(line) ?? [];
      return word === 'error' ? sum + Number(count) : sum;
    }, 0);
    const failures = errors === 0 ? [] : listProblems(lines);
    return failures.length === 0 ? undefined : { failed: Math.max(errors, failures.length), failures };
  },
};

function listProblems(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let file = '';
  for (const line of lines) {
    const [, mark = '', row, column, text = ''] = problem.exec(line) ?? [];
    if (row === undefined) file = heading.exec(line)?.[1] ?? file;
    else if ('✖×'.includes(mark)) {
      const gap = text.lastIndexOf('  ');
      const rule = gap === -1 ? {} : { rule: text.slice(gap).trim() };
      const message = (gap === -1 ? text : text.slice(0, gap)).trim();
      failures.push({ file, line: Number(row), column: Number(column), ...rule, message });
    }
  }
  return failures;
}
