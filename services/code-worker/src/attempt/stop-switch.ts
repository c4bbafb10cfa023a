import type { Model } from '@fettle/agent';

/** Why an attempt has to end before it is done. */
export type StopCause = 'cancelled' | 'lease_lost' | 'paused' | 'worker_stopped';

const sentences: Record<StopCause, string> = {
  cancelled: 'The operation was cancelled.',
  lease_lost: 'Another worker owns the operation now.',
  paused: 'The operation was paused.',
  worker_stopped: 'The worker was stopped; another one continues.',
};

export class Stopped extends Error {
  override name = 'Stopped';
  override readonly cause: StopCause;

  constructor(cause: StopCause) {
    super(sentences[cause]);
    this.cause = cause;
  }
}

/** How long an attempt may take to reach a checkpoint, so that the current answer of the model is recorded first. */
const graceMs = 25_000;

export type StopSwitch = ReturnType<typeof createStopSwitch>;

/** Stops one attempt early: at once, or at its next checkpoint, with a time limit. */
export function createStopSwitch({ yieldMs = graceMs } = {}) {
  const controller = new AbortController();
  let asked: Stopped | undefined;
  let timer: NodeJS.Timeout | undefined;
  let idleUntil = 0;
  return {
    signal: controller.signal,
    /** Aborts whatever is running. */
    stop(cause: 'cancelled' | 'lease_lost'): void {
      clearTimeout(timer);
      controller.abort(new Stopped(cause));
    },
    /** Asks the attempt to hand over at its next checkpoint, and aborts it if that takes longer than the grace period. */
    askToYield(cause: 'paused' | 'worker_stopped'): void {
      // A shutdown outlasts a pause: resuming the operation must not cancel it.
      if (asked?.cause !== 'worker_stopped') asked = new Stopped(cause);
      if (performance.now() < idleUntil) controller.abort(asked);
      timer ??= setTimeout(() => controller.abort(asked), yieldMs);
    },
    /** The attempt only waits for this long, so aborting it loses nothing. */
    idleFor(ms: number): void {
      idleUntil = performance.now() + ms;
      if (asked) controller.abort(asked);
    },
    /** Takes back a pause that has not taken effect yet. */
    resume(): void {
      if (asked?.cause !== 'paused') return;
      clearTimeout(timer);
      timer = undefined;
      asked = undefined;
    },
    /** Set while the attempt should hand over as soon as it can. */
    yielding: () => asked,
    /** Ends everything that the finished attempt left running, such as a request to the model. */
    close(): void {
      clearTimeout(timer);
      controller.abort(new Stopped('lease_lost'));
    },
  };
}

/** Lets a stop interrupt the pauses between two requests to an unreachable model, which grow to a minute. */
export function interruptRetryPauses<M extends Model>(model: M, { idleFor }: Pick<StopSwitch, 'idleFor'>): M {
  return {
    ...model,
    answer: (request, options) =>
      model.answer(request, {
        ...options,
        async onRetry(retry) {
          await options.onRetry(retry);
          idleFor(retry.pauseMs);
        },
      }),
  };
}
