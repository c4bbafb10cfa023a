import { findAlikeCalls } from './detectors/alike-calls.ts';
import { findAlternation } from './detectors/alternation.ts';
import { findNoProgress } from './detectors/no-progress.ts';
import { findRepeatedText } from './detectors/repeated-text.ts';
import { findSameCall } from './detectors/same-call.ts';
import { findUndoingEdits } from './detectors/undoing-edits.ts';
import type { Finding, TurnMark } from './marks.ts';

/** What says most about the loop comes first: calls in alternation are also the same calls again. */
const detectors = [
  findUndoingEdits,
  findAlternation,
  findSameCall,
  findAlikeCalls,
  findRepeatedText,
  findNoProgress,
];

export function findLoops(turns: TurnMark[], threshold: number): Finding[] {
  return detectors.flatMap((detect) => detect(turns, threshold) ?? []);
}
