import { createDerivedText, type DerivedText } from './derived-text.ts';
import { addEncodedRuns } from './encoded-runs.ts';
import { addNamedParts } from './named-parts.ts';
import { addWrittenOtherwise } from './written-otherwise.ts';

/** Decodes everything in a text that is encoded or split. Undefined when there is nothing to decode. */
export function decode(text: string): DerivedText | undefined {
  const derived = createDerivedText(text);
  addWrittenOtherwise(text, derived);
  addNamedParts(text, derived);
  addEncodedRuns(text, derived);
  return derived.build();
}
