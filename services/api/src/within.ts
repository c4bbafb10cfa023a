/** Waits for something that may take its time, but not for long: it goes on, and nobody hangs on it. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  await Promise.race([work.catch(() => {}), late]);
}
