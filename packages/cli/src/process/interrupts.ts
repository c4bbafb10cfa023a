import { onReaderGone } from './output-reader.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const stopReader = reader ? onReaderGone(() => controller.abort('SIGPIPE')) : undefined;
  return {
    signal: controller.signal,
    stopListening() {
      for (const name of signals) process.off(name, onSignal);
      stopReader?.();
    },
  };
}
