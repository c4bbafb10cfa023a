export type WorkerLiveness = ReturnType<typeof createWorkerLiveness>;

/**
 * When this process last heard of each operation's worker, by a clock that never jumps. One that was never heard
 * of counts from the start of this process: while the api was away, nobody could say that they were alive.
 */
export function createWorkerLiveness(now = () => performance.now()) {
  const heard = new Map<string, number>();
  /** How many questions of each operation's worker wait for their answer. */
  const asking = new Map<string, number>();
  let since = now();
  return {
    note(operationId: string): void {
      heard.set(operationId, now());
    },
    /** Whoever asks something and waits for the answer is not silent, however long that takes with a slow database. */
    async whileAsking<T>(operationId: string, answer: () => Promise<T>): Promise<T> {
      asking.set(operationId, (asking.get(operationId) ?? 0) + 1);
      try {
        return await answer();
      } finally {
        const left = (asking.get(operationId) ?? 0) - 1;
        if (left > 0) asking.set(operationId, left);
        else asking.delete(operationId);
      }
    },
    secondsSilent(operationId: string): number {
      if (asking.has(operationId)) return 0;
      return (now() - Math.max(heard.get(operationId) ?? 0, since)) / 1000;
    },
    /** After a time in which nobody could be heard, silence is counted anew. */
    startAnew(): void {
      since = now();
    },
    /**
     * Whoever stood still, or waited for the database, heard nobody: when that took half a lease or more, others
     * may have spoken all the time.
     */
    noticeGap(sinceMs: number, leaseSeconds: number): void {
      if (now() - sinceMs >= (leaseSeconds * 1000) / 2) since = now();
    },
    /** Forgets all others. */
    keep(operationIds: Set<string>): void {
      for (const id of heard.keys()) if (!operationIds.has(id)) heard.delete(id);
    },
  };
}
