import { harmless } from './harmless.ts';
import { bold, cyan, dim, green, type Line, red } from './line.ts';
import { wrapLine } from './text/wrap-line.ts';

const maxLines = 80;
const indent = '  ';

export interface DiffOptions {
  width: number;
  lines?: number;
}

/** A diff in the colors of git. Long lines are broken. `lines` bounds their number. */
export function describeDiff(diff: string, { width, lines: bound = maxLines }: DiffOptions): Line[] {
  const lines = harmless(diff).replace(/\n$/, '').split('\n');
  const shown = lines
    .slice(0, bound)
    .flatMap((line) => wrapLine([indent, color(line)], { width, indent: 4, at: 'character' }));
  const left = lines.length - Math.min(lines.length, bound);
  return left > 0 ? [...shown, [indent, dim(`… ${left} more lines`)]] : shown;
}

function color(line: string) {
  if (/^(diff|index|new file|deleted file|similarity|rename|old mode|new mode) /.test(line)) return dim(line);
  if (/^(\+\+\+|---) /.test(line)) return bold(line);
  if (line.startsWith('@@')) return cyan(line);
  if (line.startsWith('+')) return green(line);
  return line.startsWith('-') ? red(line) : line;
}
