interface WarnLog {
  warn(detail: object, message: string): void;
}

const repeatMs = 60_000;

/** Logs a repeated failure when it begins, once a minute while it lasts, and when it is resolved. */
export function createFailureNote(log: WarnLog, message: string, now = () => performance.now()) {
  let failures = 0;
  let loggedAt = 0;
  return {
    failed(error: unknown): void {
      failures += 1;
      if (failures > 1 && now() - loggedAt < repeatMs) return;
      loggedAt = now();
      // The first failure is logged with its stack, later ones only with their message.
      const details = failures === 1 ? { err: error } : { failures, why: (error as Error).message };
      log.warn(details, message);
    },
    recovered(): void {
      if (failures > 0) log.warn({ failures }, `resolved: ${message}`);
      failures = 0;
    },
  };
}
