import type { FinishedToolPart } from '@fettle/contract';
import type { Effect } from '../tools/tool.ts';

/** A finished call. Only what is on record may stand here, so that a replay of the record comes to the same. */
export interface NotedCall
  extends Pick<FinishedToolPart, 'tool' | 'input' | 'output' | 'status' | 'changed'> {
  effect: Effect;
}

export interface NotedTurn {
  /** One more than the turn before where it is not given. */
  turn?: number;
  texts: string[];
  calls: NotedCall[];
}

export type LoopVerdict =
  | { step: 'nudge'; message: string }
  | { step: 'withhold'; tools: string[]; turns: number; message: string }
  | { step: 'end'; reason: 'loop'; message: string };
