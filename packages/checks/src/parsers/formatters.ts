/** Programs that list the files that they would write in another way: prettier, black, ruff format, rustfmt, gofmt. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../parser.ts';

interface Formatter {
  tool: string;
  /** A line that only this tool prints. */
  sign: RegExp;
  file: RegExp;
}

const formatters: Formatter[] = [
  {
    tool: 'prettier',
    sign: /^\[warn\] Code style issues (?:were )?found in /,
    file: /^\[warn\] (?!Code style issues|All matched)(\S.*)$/,
  },
  {
    tool: 'black',
    sign: /^(?:Oh no! |All done! |\d+ files? would be reformatted)/,
    file: /^would reformat (\S.*)$/,
  },
  {
    tool: 'ruff format',
    sign: /^\d+ files? would be reformatted/,
    file: /^Would reformat: (\S.*)$/,
  },
  { tool: 'rustfmt', sign: /^Diff in \S/, file: /^Diff in (\S.*?)(?: at line |:)\d+:$/ },
  { tool: 'gofmt', sign: /^diff -u \S+\.go\.orig \S+\.go$/, file: /^diff -u \S+\.go\.orig (\S+\.go)$/ },
];

const read = ({ tool, sign, file }: Formatter): Parser => ({
  tool,
  finds: 'problems',
  read({ lines }) {
    if (!lines.some((line) => sign.test(line))) return undefined;
    const files = new Set(lines.flatMap((line) => file.exec(line)?.[1] ?? []));
    const failures: CheckFailure[] = [...files].map((path) => ({
      ...{ file: path, rule: 'format', message: 'The formatter would change this file.' },
    }));
    return failures.length === 0 ? undefined : { failed: failures.length, failures };
  },
});

export const formatterParsers: Parser[] = formatters.map(read);
