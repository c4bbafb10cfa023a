/** The reader of our output, such as `head`, may exit first. Like a signal, that ends a command that does not listen for it. */
const listeners = new Set<() => void>();
/** EPIPE: the other end of a pipe was closed. EIO: the window of the terminal was closed. */
const goneCodes = ['EPIPE', 'EIO'];

/** Commands without a listener exit at once: their child processes end with this process. */
export function exitWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!goneCodes.includes(error.code ?? '')) throw error;
      if (listeners.size === 0) process.exit();
      for (const listener of listeners) listener();
    });
  }
}

/** For a command that has to clean up. Returns the function that stops listening. */
export function onReaderGone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
