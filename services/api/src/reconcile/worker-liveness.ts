export type WorkerLiveness = ReturnType<typeof createWorkerLiveness>;

/**
 * When this process last received a request from each operation's worker, by a monotonic clock. A worker without a request
 * counts as alive at the start of this process, because it could not reach the api before that.
 */
export function createWorkerLiveness(now = () => performance.now()) {
  const lastRequest = new Map<string, number>();
  /** The number of requests of each operation's worker that are being answered. */
  const pending = new Map<string, number>();
  let since = now();
  return {
    note(operationId: string): void {
      lastRequest.set(operationId, now());
    },
    /** A worker that waits for an answer is not silent, however long a slow database takes. */
    async whileAnswering<T>(operationId: string, answer: () => Promise<T>): Promise<T> {
      pending.set(operationId, (pending.get(operationId) ?? 0) + 1);
      try {
        return await answer();
      } finally {
        const left = (pending.get(operationId) ?? 0) - 1;
        if (left > 0) pending.set(operationId, left);
        else pending.delete(operationId);
      }
    },
    secondsSilent(operationId: string): number {
      if (pending.has(operationId)) return 0;
      return (now() - Math.max(lastRequest.get(operationId) ?? 0, since)) / 1000;
    },
    /** Restarts the count of silence, after a time in which requests could not be answered. */
    reset(): void {
      since = now();
    },
    /**
     * Resets if half a lease or more passed since `sinceMs`. This process was suspended, or waited for the database, and
     * workers may have sent heartbeats all the time.
     */
    resetAfterGap(sinceMs: number, leaseSeconds: number): void {
      if (now() - sinceMs >= (leaseSeconds * 1000) / 2) since = now();
    },
    /** Removes all other operations. */
    keepOnly(operationIds: Set<string>): void {
      for (const id of lastRequest.keys()) if (!operationIds.has(id)) lastRequest.delete(id);
    },
  };
}
