import { decode } from './decode.ts';
import { toOneByte } from './one-byte.ts';

/** An encoded text can contain another encoding. */
const deepest = 3;

/** Whether a text contains this value, plain or after decoding. */
export function readsAs(text: string, value: string): boolean {
  return isIn(toOneByte(text), value, 0);
}

function isIn(text: string, value: string, depth: number): boolean {
  if (text.includes(value)) return true;
  const derived = depth < deepest ? decode(text) : undefined;
  return derived !== undefined && isIn(derived.text, value, depth + 1);
}
