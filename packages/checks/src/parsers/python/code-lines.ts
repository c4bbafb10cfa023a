/** Linters that print `a.py:1:8: F401 message`: flake8, pycodestyle, and ruff in its concise format. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const problem =
  /^(\S[^:]*\.pyi?|\S[^:]*\.ipynb(?::cell \d+)?):(\d+):(\d+): ([A-Z]{1,10}\d{1,5}|SyntaxError:|invalid-syntax:) ?(.*)$/;
const ruffTotal = /^Found \d+ errors?(?: \(.*\))?\.$/;
/** The full format of ruff: the rule and the message, and the place below. */
const heading = /^([A-Z]{1,10}\d{1,5}|invalid-syntax:?|SyntaxError:?) (.*)$/;
const arrow = /^ *--> (\S.*?):(\d+):(\d+)$/;

export const codeLines: Parser = {
  tool: 'flake8',
  finds: 'problems',
  read({ lines }) {
    if (lines.some((line) => ruffTotal.test(line))) return undefined;
    return toReading(listProblems(lines));
  },
};

export const ruff: Parser = {
  tool: 'ruff',
  finds: 'problems',
  read({ lines }) {
    if (!lines.some((line) => ruffTotal.test(line))) return undefined;
    return toReading([...listProblems(lines), ...listHeadings(lines)]);
  },
};

const toReading = (failures: CheckFailure[]) =>
  failures.length === 0 ? undefined : { failed: failures.length, failures };

function listProblems(lines: string[]): CheckFailure[] {
  return lines.flatMap((line) => {
    const [, file, row, column, rule = '', message = ''] = problem.exec(line) ?? [];
    if (file === undefined) return [];
    return [{ file, line: Number(row), column: Number(column), rule: rule.replace(':', ''), message }];
  });
}

function listHeadings(lines: string[]): CheckFailure[] {
  return lines.flatMap((line, index) => {
    const [, rule = '', message = ''] = heading.exec(line) ?? [];
    const [, file, row, column] = (rule && arrow.exec(lines[index + 1] ?? '')) || [];
    if (file === undefined) return [];
    return [{ file, line: Number(row), column: Number(column), rule: rule.replace(':', ''), message }];
  });
}
