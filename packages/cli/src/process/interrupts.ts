import { onReaderGone } from './output-reader.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Aborted by the first signal, with its name as the reason. */
  signal: AbortSignal;
  stopListening(): void;
}

/**
 * The first signal asks for an orderly end; a second one means now, and the children end by themselves. With `reader`,
 * that nobody reads the output any more is such a signal, `SIGPIPE`; it comes with every write.
 */
export function listenForInterrupts({ reader = false } = {}): Interrupts {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (signals.includes(controller.signal.reason)) process.exit(130);
    controller.abort(name);
  };
  for (const name of signals) process.on(name, onSignal);
  const stopReader = reader ? onReaderGone(() => controller.abort('SIGPIPE')) : undefined;
  return {
    signal: controller.signal,
    stopListening() {
      for (const name of signals) process.off(name, onSignal);
      stopReader?.();
    },
  };
}
