import type { FinishedToolPart } from '@fettle/contract';

/** What a call adds to its part once it has finished. */
export type CallResult = Pick<
  FinishedToolPart,
  | 'status'
  | 'output'
  | 'durationMs'
  | 'programMs'
  | 'changed'
  | 'checkpoint'
  | 'rules'
  | 'denials'
  | 'remarks'
>;
