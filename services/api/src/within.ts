/** Waits for work up to a time limit. The work continues after that, and its errors are ignored. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  await Promise.race([work.catch(() => {}), late]);
}
