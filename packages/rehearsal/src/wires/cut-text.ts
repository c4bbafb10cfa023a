const MAX_PIECE_LENGTH = 16 * 1024;
const USUAL_PIECES = 4;

/** Several pieces even for a short text, so that a reader who expects whole ones is found out. */
export function* cutText(text: string): Generator<string> {
  const size = Math.min(MAX_PIECE_LENGTH, Math.max(1, Math.ceil(text.length / USUAL_PIECES)));
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
