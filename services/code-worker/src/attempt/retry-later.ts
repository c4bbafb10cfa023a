import type { ReasonCode } from '@fettle/contract';

/** Something outside has to be mended first: the attempt ends, and the next one comes after a pause. */
export class MustWait extends Error {
  override readonly name = 'MustWait';
  readonly reason: ReasonCode;

  constructor(reason: ReasonCode, message: string) {
    super(message.slice(0, 1_000));
    this.reason = reason;
  }
}
