/** gcc and clang: `a.c:1:25: error: message`. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const problem = /^(\S[^:]*\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm)):(\d+):(\d+): (?:fatal )?error: (.*)$/;

export const cCompilers: Parser = {
  tool: 'cc',
  finds: 'problems',
  read({ lines }) {
    const failures = lines.flatMap((line): CheckFailure[] => {
      const [, file, row, column, text = ''] = problem.exec(line) ?? [];
      if (file === undefined) return [];
      const [whole = '', rule] = / \[(-W[\w=+-]+)\]$/.exec(text) ?? [];
      const message = whole === '' ? text : text.slice(0, -whole.length);
      return [{ file, line: Number(row), column: Number(column), ...(rule && { rule }), message }];
    });
    return failures.length === 0 ? undefined : { failed: failures.length, failures };
  },
};
