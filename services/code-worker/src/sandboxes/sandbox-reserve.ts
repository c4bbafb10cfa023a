import type { Sandbox } from '@fettle/sandbox';

export type SandboxReserve = ReturnType<typeof createSandboxReserve>;

/** A sandbox may live so long from its start on, and one that has waited for hours would end in the middle of an operation. */
const longestWaitMs = 15 * 60_000;

/** Keeps one empty sandbox started ahead of time, so that an operation need not wait for its start. */
export function createSandboxReserve(
  start: (options?: { operationId: string }) => Promise<Sandbox>,
  {
    refillAfterMs = 1_000,
    renewAfterMs = longestWaitMs,
    first,
  }: { refillAfterMs?: number; renewAfterMs?: number; first?: Sandbox } = {},
) {
  let spare: Promise<Sandbox> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;
  let closed = false;

  function keep(starting: Promise<Sandbox>): void {
    spare = starting;
    spare.catch(() => {});
    const renewLater = () => {
      renewing = renew();
    };
    renewal = setTimeout(renewLater, renewAfterMs).unref();
  }

  function refill(): void {
    if (spare || closed) return;
    keep(start());
  }

  /** The old one goes first: there may be no place for two. */
  async function renew(): Promise<void> {
    const old = spare;
    spare = undefined;
    await old?.then((sandbox) => sandbox.close()).catch(() => {});
    refill();
  }

  if (first) keep(Promise.resolve(first));

  return {
    refill,
    async take(operationId: string): Promise<Sandbox> {
      const taken = spare;
      spare = undefined;
      // Not at once: the operation that takes it needs the machine more.
      clearTimeout(timer);
      clearTimeout(renewal);
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
      clearTimeout(renewal);
      await renewing;
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
