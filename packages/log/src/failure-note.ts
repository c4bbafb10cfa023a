interface Warns {
  warn(detail: object, sentence: string): void;
}

const againMs = 60_000;

/** Logs what fails over and over when it begins, once a minute while it lasts, and when it is over. */
export function createFailureNote(log: Warns, sentence: string, now = () => performance.now()) {
  let failures = 0;
  let saidAt = 0;
  return {
    failed(error: unknown): void {
      failures += 1;
      if (failures > 1 && now() - saidAt < againMs) return;
      saidAt = now();
      // The first one with all that is known of it; later ones say only that it goes on.
      const what = failures === 1 ? { err: error } : { failures, why: (error as Error).message };
      log.warn(what, sentence);
    },
    well(): void {
      if (failures > 0) log.warn({ failures }, `over: ${sentence}`);
      failures = 0;
    },
  };
}
