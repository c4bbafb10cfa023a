/** Aborts a call that is silent for too long, before its answer starts or in the middle of it. */
export function createIdleWatchdog(idleMs: number) {
  const controller = new AbortController();
  const { signal } = controller;
  const silent = () => controller.abort(new Error(`the stream was silent for ${idleMs / 1000} s`));
  let timer = setTimeout(silent, idleMs);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});

  return {
    signal,
    /** Stops waiting when the time is up. The signal aborts the work itself, if it listens. */
    until: <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, aborted]),
    async *watch<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
      for await (const item of stream) {
        clearTimeout(timer);
        yield item;
        timer = setTimeout(silent, idleMs);
      }
    },
    stop: () => clearTimeout(timer),
  };
}
