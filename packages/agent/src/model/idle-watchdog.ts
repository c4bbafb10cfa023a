/** Ends a stream that has gone silent: the SDK's own time limit stops counting at the response's headers. */
export async function* withIdleLimit<T>(
  stream: AsyncIterable<T>,
  idleMs: number,
  abort: (reason: Error) => void,
) {
  let timer = setTimeout(silent, idleMs);
  function silent(): void {
    abort(new Error(`the stream was silent for ${idleMs / 1000} s`));
  }
  try {
    for await (const item of stream) {
      clearTimeout(timer);
      yield item;
      timer = setTimeout(silent, idleMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
