const maxPieceLength = 16 * 1024;
const usualPieces = 4;

/** Cuts even a short text into several pieces, so that clients that expect whole texts fail. */
export function* cutText(text: string): Generator<string> {
  const size = Math.min(maxPieceLength, Math.max(1, Math.ceil(text.length / usualPieces)));
  for (let start = 0; start < text.length; ) {
    let end = start + size;
    if (isHighSurrogate(text, end - 1)) end += 1; // a character outside the basic plane stays whole
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
