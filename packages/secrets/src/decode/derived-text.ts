/** A text built from pieces of another one, which remembers where each piece came from. */
interface Piece {
  /** The start in the derived text. */
  at: number;
  /** The source range in the original. */
  start: number;
  end: number;
  verbatim: boolean;
}

export interface DerivedText {
  text: string;
  /** The range of the original that a range of the derived text was built from. */
  locate(start: number, end: number): { start: number; end: number };
}

export interface DerivedTextBuilder {
  keep(start: number, end: number): void;
  put(text: string, start: number, end: number): void;
  /** Separates what follows from what precedes it. */
  separate(): void;
  build(): DerivedText | undefined;
}

export function createDerivedText(original: string): DerivedTextBuilder {
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let length = 0;
  const add = (text: string, start: number, end: number, verbatim: boolean) => {
    if (text === '') return;
    pieces.push({ at: length, start, end, verbatim });
    texts.push(text);
    length += text.length;
  };
  return {
    keep: (start, end) => add(original.slice(start, end), start, end, true),
    put: (text, start, end) => add(text, start, end, false),
    separate: () => {
      const end = pieces.at(-1)?.end ?? 0;
      add('\n\n', end, end, false);
    },
    build: () => (length === 0 ? undefined : describe(texts.join(''), pieces)),
  };
}

function describe(text: string, pieces: Piece[]): DerivedText {
  return {
    text,
    locate(start, end) {
      const first = pieceAt(pieces, start);
      const last = pieceAt(pieces, end - 1);
      return {
        start: first.verbatim ? first.start + (start - first.at) : first.start,
        end: last.verbatim ? last.start + (end - last.at) : last.end,
      };
    },
  };
}

function pieceAt(pieces: Piece[], position: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle] as Piece).at <= position) low = middle;
    else high = middle - 1;
  }
  return pieces[low] as Piece;
}
