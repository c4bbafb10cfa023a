/** Why an attempt has to end before it is done. */
export type StopCause = 'cancelled' | 'lease_lost' | 'paused' | 'worker_stopped';

const sentences: Record<StopCause, string> = {
  cancelled: 'The operation was cancelled.',
  lease_lost: 'Another worker owns the operation now.',
  paused: 'The operation was paused.',
  worker_stopped: 'The worker was stopped; another one goes on.',
};

export class Stopped extends Error {
  override name = 'Stopped';
  override readonly cause: StopCause;

  constructor(cause: StopCause) {
    super(sentences[cause]);
    this.cause = cause;
  }
}
