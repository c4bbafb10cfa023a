/** Wraps the help for the terminal. Commander wraps only descriptions, and none on a narrow terminal. */
import type { OutputStream } from '../terminal.ts';
import { wrapText } from './text-width.ts';

type Output = Pick<OutputStream, 'isTTY' | 'columns'>;

/** Below this, descriptions do not fit beside the options. */
const narrow = 60;
const defaultColumns = 80;

const columnsOf = ({ isTTY, columns }: Output) => (isTTY ? (columns ?? defaultColumns) : defaultColumns);

/** On a narrow terminal, commander breaks nothing, and each item is broken as a whole. */
export function helpWidth(output: Output): number {
  const columns = columnsOf(output);
  return columns < narrow ? 1_000 : columns;
}

export function wrapHelp(text: string, output: Output): string {
  const columns = columnsOf(output);
  return text
    .split('\n')
    .flatMap((line) => (isExample(line) ? [line] : wrapOne(line, columns)))
    .join('\n');
}

/** Examples are for copying: the terminal breaks them without adding anything. */
const isExample = (line: string) => /^ {2}(fettle|source|[A-Z_]+=)/.test(line);

function wrapOne(line: string, columns: number): string[] {
  const margin = /^ */.exec(line)?.[0].length ?? 0;
  // An item: the option, two spaces or more, and what it does.
  const [, term, about] = /^( +\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
  if (columns < narrow && term !== undefined && about !== undefined)
    return [...wrapText(term, columns), ...indented(about, margin + 4, columns)];
  const [first = '', ...rest] = wrapText(line, columns);
  return rest.length === 0 ? [first] : [first, ...indented(rest.join(' '), margin, columns)];
}

function indented(text: string, margin: number, columns: number): string[] {
  return wrapText(text.trim().replace(/ +/g, ' '), columns - margin).map((line) => ' '.repeat(margin) + line);
}
