import type { CallDescription, TurnDescription } from '../turn-description.ts';

/** Counts the latest turns that have a matching call, back to the first barrier. */
export function countBack(
  turns: TurnDescription[],
  span: number,
  { matches, isBarrier }: Record<'matches' | 'isBarrier', (call: CallDescription) => boolean>,
): number {
  let count = 0;
  for (let index = turns.length - 1; index >= Math.max(0, turns.length - span); index--) {
    let found = false;
    for (const call of (turns[index]?.calls ?? []).toReversed()) {
      if (matches(call)) found = true;
      else if (isBarrier(call)) return count + (found ? 1 : 0);
    }
    if (found) count++;
  }
  return count;
}
