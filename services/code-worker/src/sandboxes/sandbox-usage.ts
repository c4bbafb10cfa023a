import type { Sandbox } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';

export type SandboxBooks = ReturnType<typeof createSandboxBooks>;

/**
 * What the sandboxes of an attempt use, on record: so far, as long as they are at work, since neither a cancelled
 * operation nor a killed worker can say it at the end; and in all when they end, above all for one that was lost to a
 * limit. They end beside other work: counting what was used takes an engine up to a second.
 */
export function createSandboxBooks(work: Work) {
  const watches = new Map<Sandbox, NodeJS.Timeout>();
  const closings = new Map<Sandbox, Promise<void>>();

  return {
    watch(sandbox: Sandbox): Sandbox {
      const look = () => void note(work, sandbox, { soFar: true, isPast: () => closings.has(sandbox) });
      watches.set(sandbox, setInterval(look, work.config.usageMs));
      return sandbox;
    },
    close(sandbox: Sandbox): void {
      if (closings.has(sandbox)) return;
      clearInterval(watches.get(sandbox));
      const closing = sandbox.close().finally(() => note(work, sandbox));
      closing.catch(() => {});
      closings.set(sandbox, closing);
    },
    async allClosed(): Promise<void> {
      await Promise.all(closings.values());
    },
  };
}

/** That is worth neither an outcome nor hiding the error that led here. */
async function note(work: Work, sandbox: Sandbox, look?: { soFar: true; isPast(): boolean }): Promise<void> {
  try {
    const used = await sandbox.usage();
    if (used === undefined || look?.isPast()) return;
    const { ioBytes, ...usage } = used;
    await work.record({
      ...{ type: 'sandbox.used', attempt: work.claim.attempt },
      ...(look && { soFar: look.soFar }),
      ...(sandbox.id !== undefined && { sandboxId: sandbox.id }),
      ...usage,
      ...(ioBytes !== undefined && { ioBytes }),
    });
  } catch {}
}
