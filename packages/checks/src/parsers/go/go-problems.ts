/** The Go compiler, `go vet`, golangci-lint and staticcheck: `a.go:3:23: message`. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const problem = /^(?:vet: )?(?:\.\/)?(\S[^:]*\.go):(\d+):(\d+): (.*)$/;
const linter = / \(([\w-]+(?:, [\w-]+)*)\)$/;
/** Build failures are part of the result of a test run. */
const testRun = /^(?:(?:ok {2}|FAIL)\t\S|\?\s+\S+\s+\[no test files\])/;

export const goProblems: Parser = {
  tool: 'go',
  finds: 'problems',
  read({ lines }) {
    if (lines.some((line) => testRun.test(line))) return undefined;
    const failures = lines.flatMap((line): CheckFailure[] => {
      const [, file, row, column, text = ''] = problem.exec(line) ?? [];
      if (file === undefined) return [];
      const [whole = '', rule] = linter.exec(text) ?? [];
      const message = whole === '' ? text : text.slice(0, -whole.length);
      return [{ file, line: Number(row), column: Number(column), ...(rule && { rule }), message }];
    });
    return failures.length === 0 ? undefined : { failed: failures.length, failures };
  },
};
