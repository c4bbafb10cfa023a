/** The Rust compiler and clippy: `error[E0425]: message`, with the place on the next line. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const heading = /^error(?:\[(E\d+)\])?: (.*)$/;
const arrow = /^ *--> (\S.*?):(\d+):(\d+)$/;
const lint = /= note: (?:`-D ([\w:-]+)` implied|`#\[(?:deny|forbid)\(([\w:]+)\)\]`)/;

export const rustc: Parser = {
  tool: 'rustc',
  finds: 'problems',
  read({ lines }) {
    const failures: CheckFailure[] = [];
    /** By text, because cargo compiles a crate for its library and for its tests. */
    const known = new Set<string>();
    let open: CheckFailure | undefined;
    for (const [index, line] of lines.entries()) {
      const [, code, message = ''] = heading.exec(line) ?? [];
      const [, file, row, column] = (message && arrow.exec(lines[index + 1] ?? '')) || [];
      if (file !== undefined) {
        const key = `${file}:${row}:${column} ${message}`;
        open = { file, line: Number(row), column: Number(column), ...(code && { rule: code }), message };
        if (!known.has(key)) failures.push(open);
        known.add(key);
      } else if (open && open.rule === undefined) {
        const [, implied, own] = lint.exec(line) ?? [];
        const rule = (implied ?? own)?.replaceAll('-', '_');
        if (rule !== undefined) open.rule = rule;
      }
    }
    return failures.length === 0 ? undefined : { failed: failures.length, failures };
  },
};
