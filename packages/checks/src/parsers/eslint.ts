import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../parser.ts';

const summary = /^✖ \d+ problems? \((\d+) errors?, (\d+) warnings?\)$/;
const problem = /^ +(\d+):(\d+) +(error|warning) +(\S.*)$/;

/** The default format `stylish`. */
export const eslint: Parser = {
  tool: 'eslint',
  finds: 'problems',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, errors, warnings] = summary.exec(line) ?? [];
      return errors === undefined ? [] : [{ errors: Number(errors), warnings: Number(warnings) }];
    });
    if (totals.length === 0) return undefined;
    const errors = totals.reduce((sum, total) => sum + total.errors, 0);
    const warnings = totals.reduce((sum, total) => sum + total.warnings, 0);
    // Warnings can fail a run too (--max-warnings). They are reported if there is no error.
    const wanted = errors > 0 ? 'error' : 'warning';
    return { failed: errors > 0 ? errors : warnings, failures: listProblems(lines, wanted) };
  },
};

function listProblems(lines: string[], wanted: string): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let file = '';
  for (const line of lines) {
    const [, row, column, severity, text = ''] = problem.exec(line) ?? [];
    if (row === undefined) {
      if (line !== '' && !line.startsWith(' ')) file = line;
    } else if (severity === wanted) {
      failures.push({ file, line: Number(row), column: Number(column), ...splitRule(text) });
    }
  }
  return failures;
}

/** The rule comes last, after two or more spaces. A parsing error has no rule. */
function splitRule(text: string): { rule?: string; message: string } {
  const gap = text.lastIndexOf('  ');
  if (gap === -1) return { message: text };
  return { rule: text.slice(gap).trim(), message: text.slice(0, gap).trim() };
}
