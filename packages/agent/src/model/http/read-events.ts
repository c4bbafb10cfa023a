/** The `data` lines of an event stream, each an event of its own. */

export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const line of readLines(chunks)) {
    const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
    if (data !== '') yield data;
  }
}

/** A line that comes in a thousand pieces is put together once. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    for (const piece of more) {
      yield pieces.join('');
      pieces = [piece];
    }
  }
  yield pieces.join('');
}
