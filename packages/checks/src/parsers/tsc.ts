import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../parser.ts';

/** `a.ts(1,7): error TS2322: …`, or the pretty form `a.ts:1:7 - error TS2322: …`. */
const forms = [
  { mark: ': error TS', place: /\((\d+),(\d+)\)$/ },
  { mark: ' - error TS', place: /:(\d+):(\d+)$/ },
];
const errorText = /error (TS\d+): (.*)$/;

/** tsc prints nothing on success, so only its errors can be recognised. */
export const tsc: Parser = {
  tool: 'tsc',
  finds: 'problems',
  read({ lines }) {
    const failures: CheckFailure[] = [];
    let open: CheckFailure | undefined;
    for (const line of lines) {
      const found = readLine(line);
      if (found) failures.push(found);
      // Indented lines explain the error. The pretty form shows the source after an empty line.
      else if (open && /^ {2,}\S/.test(line)) open.message += `\n${line}`;
      open = found ?? (line.startsWith('  ') ? open : undefined);
    }
    return failures.length > 0 ? { failed: failures.length, failures } : undefined;
  },
};

function readLine(line: string): CheckFailure | undefined {
  if (line.startsWith('error TS')) return splitRule(line);
  if (line.startsWith(' ')) return undefined;
  for (const { mark, place } of forms) {
    const end = line.indexOf(mark);
    const found = end === -1 ? null : place.exec(line.slice(0, end));
    const problem = found && splitRule(line.slice(end));
    if (problem)
      return {
        file: line.slice(0, found.index),
        line: Number(found[1]),
        column: Number(found[2]),
        ...problem,
      };
  }
  return undefined;
}

function splitRule(text: string): Pick<CheckFailure, 'rule' | 'message'> | undefined {
  const [, rule, message = ''] = errorText.exec(text) ?? [];
  return rule === undefined ? undefined : { rule, message };
}
