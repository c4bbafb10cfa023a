import { decode } from './decode.ts';
import { toOneByte } from './one-byte.ts';

/** What is encoded may be encoded again. */
const deepest = 3;

/** Whether a text says this, as it stands or when it is decoded. */
export function readsAs(text: string, value: string): boolean {
  return isIn(toOneByte(text), value, 0);
}

function isIn(text: string, value: string, depth: number): boolean {
  if (text.includes(value)) return true;
  const derived = depth < deepest ? decode(text) : undefined;
  return derived !== undefined && isIn(derived.text, value, depth + 1);
}
