/** Far above any real input, so that a stream without line ends cannot fill the memory. */
const maxLineLength = 128_000_000;

/** Yields the lines of a stream, without an empty last one. A line that is too long becomes undefined. */
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
