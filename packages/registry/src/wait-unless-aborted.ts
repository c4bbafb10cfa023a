/** Waits until something of somebody else's is over, however it ends; one's own signal ends the waiting at once. */
export async function waitUnlessAborted(theirs: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    theirs.then(end, end);
  });
  signal.throwIfAborted();
}
