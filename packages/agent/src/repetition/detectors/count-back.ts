import type { CallMark, TurnMark } from '../marks.ts';

/** In how many of the last turns a call stands that matches, back to the first that is a barrier. */
export function countBack(
  turns: TurnMark[],
  span: number,
  { matches, isBarrier }: Record<'matches' | 'isBarrier', (mark: CallMark) => boolean>,
): number {
  let count = 0;
  for (let index = turns.length - 1; index >= Math.max(0, turns.length - span); index--) {
    let found = false;
    for (const mark of (turns[index]?.calls ?? []).toReversed()) {
      if (matches(mark)) found = true;
      else if (isBarrier(mark)) return count + (found ? 1 : 0);
    }
    if (found) count++;
  }
  return count;
}
