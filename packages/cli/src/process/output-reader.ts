/** Whoever reads our output, such as head, may have seen enough: like a signal, that ends the command unless it listens. */
const listeners = new Set<() => void>();
/** A pipe whose other end is closed, and a terminal whose window is. */
const goneCodes = ['EPIPE', 'EIO'];

/** The children end when this process does, so that at once is soon enough for who only looks. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!goneCodes.includes(error.code ?? '')) throw error;
      if (listeners.size === 0) process.exit();
      for (const tell of listeners) tell();
    });
  }
}

/** For a command that has something to clear away; gives what ends the listening. */
export function onReaderGone(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
