import { failureLines, summaryLines } from './failure-lines.ts';
import { harmless } from './harmless.ts';
import { dim, type Line, type Style } from './line.ts';

export const indent = '      ';

export interface Excerpt {
  text: string;
  lines: number;
  /** The end that matters more: the head of a file, the tail of a program's output. */
  keep: 'head' | 'tail';
  style?: Style;
}

/** A few lines of a longer text, with the number of lines that are left out. */
export function describeExcerpt({ text, lines, keep, style = 'dim' }: Excerpt): Line[] {
  const all = harmless(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const margin = Math.min(...all.map((line) => line.length - line.trimStart().length));
  const shown = keep === 'head' ? all.slice(0, lines) : all.slice(-lines);
  const left = all.length - shown.length;
  const rest: Line[] = left > 0 ? [[dim(`${indent}│ … ${left} more ${left === 1 ? 'line' : 'lines'}`)]] : [];
  const excerpt = shown.map((line): Line => [dim(`${indent}│ `), { text: line.slice(margin), style }]);
  return keep === 'head' ? [...excerpt, ...rest] : [...rest, ...excerpt];
}

/** The few lines of a check's output that matter, or its end if none are recognized. */
export function describeOutput(output: string, ok: boolean): Line[] {
  const important = ok ? summaryLines(output) : failureLines(output);
  if (important.length > 0)
    return describeExcerpt({ text: important.join('\n'), lines: ok ? 3 : 8, keep: 'head' });
  return describeExcerpt({ text: output, lines: ok ? 3 : 10, keep: 'tail' });
}
