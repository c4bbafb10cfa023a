import type { PlanWord } from './parse/resolve-word.ts';
import type { OperandKind, OperandSlot } from './rules/rule.ts';

const REPEATS = '...';

/**
 * The kind that each word must have. Undefined when there are, or may be, more words than slots: a glob can expand to
 * several words, which is safe only where a kind repeats.
 */
export function assignSlots(
  slots: OperandSlot[],
  words: PlanWord[],
): { word: PlanWord; kind: OperandKind }[] | undefined {
  const repeats = slots.findIndex((slot) => slot.endsWith(REPEATS));
  if (repeats === -1 && words.length > slots.length) return undefined;
  if (repeats === -1 && slots.length > 1 && words.some((word) => 'glob' in word)) return undefined;
  const last = slots.length - 1;
  return words.map((word, index) => {
    const fromEnd = last - (words.length - 1 - index);
    const slot = repeats === -1 || index < repeats ? index : Math.max(repeats, fromEnd);
    return { word, kind: kindOf(slots[slot] as OperandSlot) };
  });
}

function kindOf(slot: OperandSlot): OperandKind {
  return slot.replace(REPEATS, '') as OperandKind;
}
