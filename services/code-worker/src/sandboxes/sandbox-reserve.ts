import { setImmediate } from 'node:timers/promises';
import { type Sandbox, SandboxError } from '@fettle/sandbox';

export type SandboxReserve = ReturnType<typeof createSandboxReserve>;

/** The lifetime of a sandbox counts from its start: one that has been idle for hours would end in the middle of an operation. */
const maxIdleMs = 15 * 60_000;

/** Keeps one empty sandbox ready, so that operations do not wait for a start. */
export function createSandboxReserve(
  start: (options?: { operationId: string }) => Promise<Sandbox>,
  {
    refillAfterMs = 1_000,
    renewAfterMs = maxIdleMs,
    first,
  }: { refillAfterMs?: number; renewAfterMs?: number; first?: Sandbox } = {},
) {
  let spare: Promise<Sandbox> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;
  let closed = false;
  /** Of the last start of a spare sandbox. */
  let problem: string | undefined;

  function keep(starting: Promise<Sandbox>): void {
    spare = starting;
    spare.then(
      () => {
        problem = undefined;
      },
      (error: Error) => {
        // A full house is not a fault: a slot becomes free when an operation ends.
        const isFull = error instanceof SandboxError && error.code === 'no_place';
        problem = isFull ? undefined : `no sandbox can be started: ${error.message}`;
      },
    );
    clearTimeout(renewal);
    const renewLater = () => {
      renewing = renew();
    };
    renewal = setTimeout(renewLater, renewAfterMs).unref();
  }

  function refill(): void {
    if (spare || closed) return;
    keep(start());
  }

  /** Closes the old one first: there may be no free slot for two. */
  async function renew(): Promise<void> {
    const old = spare;
    spare = undefined;
    await old?.then((sandbox) => sandbox.close()).catch(() => {});
    refill();
  }

  /** Starts another spare sandbox if the last start failed, or if the spare one has ended. */
  async function replaceDead(): Promise<void> {
    const current = spare;
    const state = await Promise.race([
      current?.then(
        (sandbox) => (sandbox.hasEnded() ? ('dead' as const) : undefined),
        () => 'dead' as const,
      ),
      // Still starting.
      setImmediate(undefined),
    ]);
    if (state !== 'dead' || spare !== current) return;
    spare = undefined;
    current?.then((sandbox) => sandbox.close()).catch(() => {});
    refill();
  }

  if (first) keep(Promise.resolve(first));

  return {
    refill,
    /** Why no sandbox can be started, as far as the last start of a spare one shows. */
    async findProblem(): Promise<string | undefined> {
      if (!closed) await replaceDead();
      return problem;
    },
    async take(operationId: string): Promise<Sandbox> {
      const taken = spare;
      spare = undefined;
      // Delayed: the operation that takes this one needs the CPU now.
      clearTimeout(timer);
      clearTimeout(renewal);
      timer = setTimeout(refill, refillAfterMs).unref();
      const ready = await taken?.then(
        async (sandbox) => ((await isAlive(sandbox)) ? sandbox : undefined),
        () => undefined,
      );
      if (ready === undefined) return start({ operationId });
      // Only labels the sandbox for the operator: not awaited, and errors do not matter.
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

/** Closes a sandbox that died while it was idle. */
async function isAlive(sandbox: Sandbox): Promise<boolean> {
  try {
    await sandbox.listDirectory('.', { maxEntries: 1 });
    return true;
  } catch {
    await sandbox.close().catch(() => {});
    return false;
  }
}
