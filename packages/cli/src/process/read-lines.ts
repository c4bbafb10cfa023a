/** Far above what anybody asks, so that a stream without an end of line does not fill the memory. */
const maxLineLength = 128_000_000;

/** The lines of a stream, without the empty one at its end; nothing in the place of one that is too long. */
export async function* readLines(stream: NodeJS.ReadableStream): AsyncGenerator<string | undefined> {
  stream.setEncoding('utf8');
  let pieces: string[] = [];
  let length = 0;
  const takeLine = () => {
    const line = length > maxLineLength ? undefined : pieces.join('');
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    const [first = '', ...others] = String(chunk).split('\n');
    for (const [index, piece] of [first, ...others].entries()) {
      if (index > 0) yield takeLine();
      length += piece.length;
      if (length <= maxLineLength) pieces.push(piece);
      else pieces = [];
    }
  }
  if (length > 0) yield takeLine();
}
