/** So many bytes may be held at once; who wants more waits for its turn, in order. */
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
      // One that could never be admitted has it all for itself.
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
