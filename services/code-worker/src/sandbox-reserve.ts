import type { Sandbox } from '@fettle/sandbox';

export type SandboxReserve = ReturnType<typeof createSandboxReserve>;

/** Keeps one empty sandbox started ahead of time, so that an operation need not wait for its start. */
export function createSandboxReserve(
  start: (options?: { operationId: string }) => Promise<Sandbox>,
  { refillAfterMs = 1_000, first }: { refillAfterMs?: number; first?: Sandbox } = {},
) {
  let spare: Promise<Sandbox> | undefined = first && Promise.resolve(first);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function refill(): void {
    if (spare || closed) return;
    spare = start();
    spare.catch(() => {});
  }

  return {
    refill,
    async take(operationId: string): Promise<Sandbox> {
      const taken = spare;
      spare = undefined;
      // Not at once: the operation that takes it needs the machine more.
      clearTimeout(timer);
      timer = setTimeout(refill, refillAfterMs).unref();
      const ready = await taken?.then(
        async (sandbox) => ((await isAlive(sandbox)) ? sandbox : undefined),
        () => undefined,
      );
      if (ready === undefined) return start({ operationId });
      // For the lists of an operator; no reason to wait, and none to fail.
      ready.assign(operationId).catch(() => {});
      return ready;
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await spare?.then(
        (sandbox) => sandbox.close(),
        () => {},
      );
    },
  };
}

/** One that died while it waited is cleared away, and not handed out. */
async function isAlive(sandbox: Sandbox): Promise<boolean> {
  try {
    await sandbox.listDirectory('.', { maxEntries: 1 });
    return true;
  } catch {
    await sandbox.close().catch(() => {});
    return false;
  }
}
