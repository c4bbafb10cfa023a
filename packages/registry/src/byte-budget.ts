/** Limits how many bytes are held in memory at once. Callers beyond the limit wait in order. */
export interface ByteBudget {
  hold<T>(bytes: number, action: () => Promise<T>): Promise<T>;
}

export function createByteBudget(totalBytes: number): ByteBudget {
  const waiting: { bytes: number; start(): void }[] = [];
  let free = totalBytes;

  function admit(): void {
    for (let [next] = waiting; next !== undefined && next.bytes <= free; [next] = waiting) {
      waiting.shift();
      free -= next.bytes;
      next.start();
    }
  }

  return {
    async hold(wanted, action) {
      // A request for more than the total runs alone.
      const bytes = Math.min(wanted, totalBytes);
      await new Promise<void>((start) => {
        waiting.push({ bytes, start });
        admit();
      });
      try {
        return await action();
      } finally {
        free += bytes;
        admit();
      }
    },
  };
}
