/** The output as lines of styled pieces, so that it can be built and tested without a terminal. */
import { styleText } from 'node:util';
import { cutText, textWidth } from './text/text-width.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'inverse';
/** Copyable text is never cut. */
export type Piece = string | { text: string; style: Style | Style[] } | { copyable: string };
export type Line = Piece[];

export interface Surface {
  width: number;
  color: boolean;
}

export const copyable = (text: string): Piece => ({ copyable: text });
export const bold = (text: string): Piece => ({ text, style: 'bold' });
export const dim = (text: string): Piece => ({ text, style: 'dim' });
export const red = (text: string): Piece => ({ text, style: 'red' });
export const green = (text: string): Piece => ({ text, style: 'green' });
export const yellow = (text: string): Piece => ({ text, style: 'yellow' });
export const cyan = (text: string): Piece => ({ text, style: 'cyan' });

/** Renders one line, cut to the width. */
export function renderLine(line: Line, { width, color }: Surface): string {
  let left = width;
  let result = '';
  for (const piece of line) {
    if (left <= 0) break;
    const whole = textOf(piece);
    const text = isCopyable(piece) ? whole : cutText(whole, left);
    left -= textWidth(text);
    result += color && text !== '' && hasStyle(piece) ? styleText(piece.style, text, unvalidated) : text;
  }
  return result.trimEnd();
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, piece) => sum + textWidth(textOf(piece)), 0);
}

export function textOf(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  return isCopyable(piece) ? piece.copyable : piece.text;
}

// The surface decides about colors, not the stream that styleText would check.
const unvalidated = { validateStream: false } as const;

export function isCopyable(piece: Piece): piece is { copyable: string } {
  return typeof piece === 'object' && 'copyable' in piece;
}

function hasStyle(piece: Piece): piece is { text: string; style: Style | Style[] } {
  return typeof piece === 'object' && 'style' in piece;
}
