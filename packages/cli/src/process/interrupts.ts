/** Signals and a closed output, such as that of `| head`, end a command in order. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** EPIPE: the other end of a pipe was closed. EIO: the window of the terminal was closed. */
const closedCodes = ['EPIPE', 'EIO'];
const readerListeners = new Set<() => void>();

export interface Interrupts {
  /** Aborted by the first signal. The reason is the name of the signal. */
  signal: AbortSignal;
  stopListening(): void;
}

/**
 * The first signal asks for an orderly shutdown. A second one exits at once; the child processes then end by themselves.
 * With `reader`, a closed output counts as the signal `SIGPIPE`, which every further write repeats.
 */
export function listenForInterrupts({ reader = false } = {}): Interrupts {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (signals.includes(controller.signal.reason)) process.exit(130);
    controller.abort(name);
  };
  for (const name of signals) process.on(name, onSignal);
  const onReaderGone = () => controller.abort('SIGPIPE');
  if (reader) readerListeners.add(onReaderGone);
  return {
    signal: controller.signal,
    stopListening() {
      for (const name of signals) process.off(name, onSignal);
      readerListeners.delete(onReaderGone);
    },
  };
}

/** Exits when the reader of the output exits, unless the command listens for that. Child processes end with this process. */
export function exitWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!closedCodes.includes(error.code ?? '')) throw error;
      if (readerListeners.size === 0) process.exit();
      for (const listener of readerListeners) listener();
    });
  }
}
