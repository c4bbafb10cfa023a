const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Aborted by the first signal, with its name as the reason. */
  signal: AbortSignal;
  stopListening(): void;
}

/** The first signal asks for an orderly end; a second one means now, and the children end by themselves. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(name);
  };
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stopListening() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
