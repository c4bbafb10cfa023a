/** Breaks styled lines that are too long, so that nothing of them is lost. */
import { isCopyable, type Line, type Piece, textOf } from '../line.ts';
import { fitStart, textWidth } from './text-width.ts';

export interface WrapOptions {
  width: number;
  /** The column at which further lines begin. Less on a narrow terminal. */
  indent?: number;
  /** `word` breaks between words where it can, `character` anywhere: for code, whose spaces matter. */
  at?: 'word' | 'character';
}

const leastRoom = 10;

/** Copyable text is not broken: a terminal breaks it without adding to it. */
export function wrapLine(line: Line, { width, indent = 0, at = 'word' }: WrapOptions): Line[] {
  const margin = indent <= width / 2 ? indent : Math.floor(width / 6);
  const lines: Line[] = [[]];
  let used = 0;
  const begin = () => {
    lines.push([' '.repeat(margin)]);
    used = margin;
  };
  const isAtStart = () => used === (lines.length === 1 ? 0 : margin);
  // A word that is too long for any line is broken where it begins, if there is some room.
  const movesOn = (length: number) =>
    used + length > width && (length <= width - margin || width - used < leastRoom);
  const put = (piece: Piece, text: string) => {
    append(lines.at(-1) as Line, withText(piece, text));
    used += textWidth(text);
  };
  for (const piece of line) {
    for (const word of wordsOf(piece, at)) {
      let rest = word;
      if (at === 'word' && !isAtStart() && movesOn(textWidth(rest.trimEnd()))) {
        begin();
        rest = rest.trimStart();
      }
      while (!isCopyable(piece) && textWidth(rest.trimEnd()) > width - used) {
        const head = fitStart(rest, width - used);
        if (head !== '') put(piece, head);
        else if (isAtStart()) break;
        rest = rest.slice(head.length);
        begin();
      }
      put(piece, rest);
    }
  }
  return lines.map(trimEnd);
}

/** For a list of lines with one layout. */
export function wrapLines(lines: Line[], options: WrapOptions): Line[] {
  return lines.flatMap((line) => wrapLine(line, options));
}

/** Each word with the spaces after it. */
function wordsOf(piece: Piece, at: WrapOptions['at']): string[] {
  const text = textOf(piece);
  return isCopyable(piece) || at === 'character' ? [text] : (text.match(/ *[^ ]+ *|^ +$/g) ?? [text]);
}

function withText(piece: Piece, text: string): Piece {
  if (typeof piece === 'string') return text;
  return isCopyable(piece) ? piece : { ...piece, text };
}

/** Joins words of one style, so that a line has few pieces. */
function append(line: Line, piece: Piece): void {
  const last = line.at(-1);
  if (typeof last === 'string' && typeof piece === 'string') line[line.length - 1] = last + piece;
  else if (isStyled(last) && isStyled(piece) && String(last.style) === String(piece.style))
    line[line.length - 1] = { ...last, text: last.text + piece.text };
  else line.push(piece);
}

/** The space at which a line was broken. */
function trimEnd(line: Line): Line {
  const last = line.at(-1);
  return last === undefined || isCopyable(last)
    ? line
    : [...line.slice(0, -1), withText(last, textOf(last).trimEnd())];
}

function isStyled(piece: Piece | undefined): piece is Extract<Piece, { style: unknown }> {
  return typeof piece === 'object' && 'style' in piece;
}
