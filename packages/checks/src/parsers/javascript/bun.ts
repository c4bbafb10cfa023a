import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const version = /^bun test v\d/;
const total = /^ *(\d{1,9}) (pass|fail|skip|todo|errors?)$/;
const file = /^(\S.*\.[cm]?[jt]sx?):$/;
/** With colours, the words in parentheses are symbols. */
const failed = /^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$/;
const ended = /^(?:\((?:pass|skip|todo)\)|[✓»✎]) /;
const error = /^error: (.*)$/;
const place = /^ +at (?:.* \()?([^\s()]+):(\d+):(\d+)\)?$/;

export const bun: Parser = {
  tool: 'bun test',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => version.test(line))) return undefined;
    const totals = new Map<string, number>();
    for (const line of lines) {
      const [, count, word] = total.exec(line) ?? [];
      if (word !== undefined) totals.set(word, (totals.get(word) ?? 0) + Number(count));
    }
    const count = (...words: string[]) => words.reduce((all, word) => all + (totals.get(word) ?? 0), 0);
    return {
      passed: count('pass'),
      failed: count('fail', 'error', 'errors'),
      skipped: count('skip', 'todo'),
      failures: listFailures(lines),
    };
  },
};

type Error = Pick<CheckFailure, 'message' | 'line' | 'column'>;

/** The error comes before the test that it failed. */
function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let path: string | undefined;
  let details: Error | undefined;
  for (const line of lines) {
    const [, heading] = file.exec(line) ?? [];
    const [, name] = failed.exec(line) ?? [];
    const [, text] = error.exec(line) ?? [];
    const [, , row, column] = place.exec(line) ?? [];
    if (heading !== undefined || total.test(line)) {
      // An error that no test claims belongs to the file.
      if (details && path !== undefined) failures.push({ file: path, ...details });
      if (heading !== undefined) path = heading;
      details = undefined;
    } else if (name !== undefined) {
      failures.push({ ...(path !== undefined && { file: path }), name, ...(details ?? { message: '' }) });
      details = undefined;
    } else if (ended.test(line)) details = undefined;
    else if (text !== undefined) details = { message: `${text}\n` };
    else if (details && row !== undefined)
      Object.assign(details, { line: Number(row), column: Number(column) });
    else if (details && details.message.length < maxMessage && !/^\d+ \|/.test(line))
      details.message += line.trim() === '' ? '' : `${line}\n`;
  }
  return failures;
}
