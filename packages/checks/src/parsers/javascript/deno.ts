import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import { countWords, type Parser } from '../../parser.ts';

const total = /^(?:ok|FAILED) \| (\d+ passed .*|\d+ passed)/;
const section = /^ (ERRORS|FAILURES) $/;
const heading = /^(.+) => (\S+?):(\d+):(\d+)$/;
const unloaded = /^(\S+) \(uncaught error\)$/;

export const deno: Parser = {
  tool: 'deno test',
  finds: 'tests',
  read({ lines }) {
    // The counts of steps are in parentheses.
    const totals = lines.flatMap((line) => total.exec(line)?.[1]?.replaceAll(/\([^()]*\)/g, '') ?? []);
    if (totals.length === 0) return undefined;
    const counts = countWords(totals.join('\n'));
    return {
      passed: counts.get('passed') ?? 0,
      failed: counts.get('failed') ?? 0,
      skipped: counts.get('ignored') ?? 0,
      failures: listFailures(lines),
    };
  },
};

function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let isErrors = false;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, kind] = section.exec(line) ?? [];
    if (kind !== undefined) isErrors = kind === 'ERRORS';
    if (!isErrors) continue;
    const [, name, file = '', row, column] = heading.exec(line) ?? [];
    const [, whole] = unloaded.exec(line) ?? [];
    if (name !== undefined) {
      open = {
        file: file.replace(/^\.\//, ''),
        line: Number(row),
        column: Number(column),
        name,
        message: '',
      };
      failures.push(open);
    } else if (whole !== undefined) {
      open = { file: whole.replace(/^\.\//, ''), message: '' };
      failures.push(open);
    } else if (open && open.message.length < maxMessage && !/^ {4}at /.test(line)) {
      open.message += `${line.replace(/^error: /, '')}\n`;
    }
  }
  return failures;
}
