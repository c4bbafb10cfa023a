/** The `data` lines of an event stream, each an event of its own, as chat completions have them. */

/** How much of what is left is read so that the connection can serve the next request. */
const leftover = { bytes: 64_000, ms: 1_000 };

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

export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void leave(reader);
  }
}

/** Nobody waits for this: a stream that had said all is at its end, any other is cut off. */
async function leave(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cutOff = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(cutOff, leftover.ms);
  try {
    for (let bytes = 0; bytes < leftover.bytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    cutOff();
  } catch {
    // It was aborted, or broke: there is nothing to keep.
  } finally {
    clearTimeout(timer);
  }
}
