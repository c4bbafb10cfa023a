import type { CheckFailure } from '@fettle/contract';
import { maxMessage } from '../../bounds.ts';
import type { Parser } from '../../parser.ts';

const total = /^ {2}(\d{1,9}) (passing|pending|failing)\b/;
const passing = /^ {2}\d{1,9} passing(?: \([\w.]+\))?$/;
const heading = /^ {2}\d+\) (.+)$/;
const place = /^ +at (?:.* \()?([^\s()]+):(\d+):(\d+)\)?$/;

/** Every reporter for people (spec, dot, min, list) ends with the same summary. */
export const mocha: Parser = {
  tool: 'mocha',
  finds: 'tests',
  read({ lines }) {
    if (!lines.some((line) => passing.test(line))) return undefined;
    const totals = new Map<string, number>();
    for (const line of lines) {
      const [, count, word] = total.exec(line) ?? [];
      if (word !== undefined) totals.set(word, (totals.get(word) ?? 0) + Number(count));
    }
    return {
      passed: totals.get('passing') ?? 0,
      failed: totals.get('failing') ?? 0,
      skipped: totals.get('pending') ?? 0,
      failures: listFailures(lines),
    };
  },
};

/** Below `2 failing`: the suites and the test, each on a deeper line, end with a colon. Then comes the message. */
function listFailures(lines: string[]): CheckFailure[] {
  const failures: CheckFailure[] = [];
  let isListing = false;
  let names: string[] | undefined;
  let open: CheckFailure | undefined;
  for (const line of lines) {
    const [, , word] = total.exec(line) ?? [];
    const [, first] = isListing ? (heading.exec(line) ?? []) : [];
    if (word !== undefined) {
      isListing = word === 'failing';
    } else if (first !== undefined || names !== undefined) {
      names = [...(first === undefined ? (names ?? []) : []), (first ?? line).trim()];
      open = undefined;
      if (!line.endsWith(':') && names.length < maxDepth) continue;
      open = { name: names.join(' > ').replace(/:$/, ''), message: '' };
      failures.push(open);
      names = undefined;
    } else if (open) {
      readDetail(open, line);
    }
  }
  return failures;
}

const maxDepth = 20;

/** The position is part of the message: the stack may start in another file in the next run. */
function readDetail(failure: CheckFailure, line: string): void {
  const [, file] = place.exec(line) ?? [];
  if (failure.message.length > maxMessage || /^at /m.test(failure.message)) return;
  if (file === undefined && !/^ +at /.test(line) && line.trim() !== '') failure.message += `${line.trim()}\n`;
  if (file !== undefined && !/^node:|node_modules\//.test(file))
    failure.message += `at ${line.trim().slice(3)}\n`;
}
