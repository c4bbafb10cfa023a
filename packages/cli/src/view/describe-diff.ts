import { harmless } from './harmless.ts';
import { bold, cyan, dim, green, type Line, red } from './line.ts';

const maxLines = 80;

/** A diff in the colors of git, cut after some lines. */
export function describeDiff(diff: string, { lines: bound = maxLines, indent = '  ' } = {}): Line[] {
  const lines = harmless(diff).replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, bound).map((line): Line => [indent, color(line)]);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, [indent, dim(`… ${left} more lines`)]] : shown;
}

function color(line: string) {
  if (/^(diff|index|new file|deleted file|similarity|rename|old mode|new mode) /.test(line)) return dim(line);
  if (/^(\+\+\+|---) /.test(line)) return bold(line);
  if (line.startsWith('@@')) return cyan(line);
  if (line.startsWith('+')) return green(line);
  return line.startsWith('-') ? red(line) : line;
}
