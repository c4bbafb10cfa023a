import { factors } from '../limits.ts';
import type { Detector } from '../turn-description.ts';

/** Edits that move a file back and forth between the same two states. */
export const findUndoingEdits: Detector = (turns, threshold) => {
  const newest = turns.at(-1)?.calls.flatMap(({ repeatedMoves }) => repeatedMoves) ?? [];
  for (const { pair, path } of newest) {
    const calls = turns.flatMap((turn) =>
      turn.calls.filter(({ repeatedMoves }) => repeatedMoves.some((other) => other.pair === pair)),
    );
    if (calls.length < threshold * factors.repeats) continue;
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    return { kind: 'undoing', key: pair, what: path.slice(0, 200), times: calls.length, tools };
  }
  return undefined;
};
