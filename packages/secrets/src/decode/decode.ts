import { createDerivedText, type DerivedText } from './derived-text.ts';
import { addEncodedRuns } from './encoded-runs.ts';
import { addNamedParts } from './named-parts.ts';
import { toOneByte } from './one-byte.ts';
import { addWrittenOtherwise } from './written-otherwise.ts';

/** Decodes everything in a text that is encoded or split. Undefined when there is nothing to decode. */
export function decode(text: string): DerivedText | undefined {
  const derived = createDerivedText(text);
  addWrittenOtherwise(text, derived);
  addNamedParts(text, derived);
  addEncodedRuns(text, derived);
  return derived.build();
}

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
