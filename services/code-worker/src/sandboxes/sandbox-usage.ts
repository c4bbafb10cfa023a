import type { Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';

export type SandboxUsage = ReturnType<typeof createSandboxUsage>;

/**
 * Records the resources that the sandboxes of an attempt use. Interim figures are recorded at intervals, because a
 * cancelled operation or a killed worker cannot report at the end; final figures are recorded when a sandbox closes,
 * mainly for one that was lost to a limit. Closing runs in the background: counting takes an engine up to a second.
 */
export function createSandboxUsage(attempt: Pick<Attempt, 'claim' | 'config' | 'record'>) {
  const timers = new Map<Sandbox, NodeJS.Timeout>();
  const closings = new Map<Sandbox, Promise<void>>();

  /** Errors are ignored: usage must not decide an outcome or hide the error that led here. */
  async function recordUsage(sandbox: Sandbox, interim?: { soFar: true }): Promise<void> {
    try {
      const used = await sandbox.usage();
      if (used === undefined || (interim && closings.has(sandbox))) return;
      const { ioBytes, ...usage } = used;
      await attempt.record.append({
        ...{ type: 'sandbox.used', attempt: attempt.claim.attempt },
        ...interim,
        ...(sandbox.id !== undefined && { sandboxId: sandbox.id }),
        ...usage,
        ...(ioBytes !== undefined && { ioBytes }),
      });
    } catch {}
  }

  return {
    watch(sandbox: Sandbox): Sandbox {
      const recordInterim = () => void recordUsage(sandbox, { soFar: true });
      timers.set(sandbox, setInterval(recordInterim, attempt.config.usageMs));
      return sandbox;
    },
    close(sandbox: Sandbox): void {
      if (closings.has(sandbox)) return;
      clearInterval(timers.get(sandbox));
      const closing = sandbox.close().finally(() => recordUsage(sandbox));
      closing.catch(() => {});
      closings.set(sandbox, closing);
    },
    async allClosed(): Promise<void> {
      await Promise.all(closings.values());
    },
  };
}
