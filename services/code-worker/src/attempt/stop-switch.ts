import { Stopped } from './stopped.ts';

/** How long an attempt may go on to a good place to stop: what was asked of the model is then answered and on record. */
const graceMs = 25_000;

export type StopSwitch = ReturnType<typeof createStopSwitch>;

/** One attempt's ways to end before it is done: at once, or at the next good moment and then at once. */
export function createStopSwitch({ yieldMs = graceMs } = {}) {
  const controller = new AbortController();
  let asked: Stopped | undefined;
  let timer: NodeJS.Timeout | undefined;
  let restsUntil = 0;
  return {
    signal: controller.signal,
    /** Ends what is under way. */
    stop(cause: 'cancelled' | 'lease_lost'): void {
      clearTimeout(timer);
      controller.abort(new Stopped(cause));
    },
    /** Asks for the attempt to be handed over, and insists when it takes too long. */
    askToYield(cause: 'paused' | 'worker_stopped'): void {
      // A worker that stops goes, whatever becomes of a pause.
      if (asked?.cause !== 'worker_stopped') asked = new Stopped(cause);
      if (performance.now() < restsUntil) controller.abort(asked);
      timer ??= setTimeout(() => controller.abort(asked), yieldMs);
    },
    /** For so long nothing is under way that would be lost: now is as good a moment as any. */
    rest(ms: number): void {
      restsUntil = performance.now() + ms;
      if (asked) controller.abort(asked);
    },
    /** A pause that was taken back in time. */
    goOn(): void {
      if (asked?.cause !== 'paused') return;
      clearTimeout(timer);
      timer = undefined;
      asked = undefined;
    },
    /** Given where the attempt should end as soon as it can. */
    yielding: () => asked,
    /** The attempt is over: whatever it left under way, an answer of the model for example, ends with it. */
    close(): void {
      clearTimeout(timer);
      controller.abort(new Stopped('lease_lost'));
    },
  };
}
