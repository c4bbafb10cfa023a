import { createDerivedText, type DerivedText } from './derived-text.ts';
import { addEncodedRuns } from './encoded-runs.ts';
import { addNamedParts } from './named-parts.ts';
import { addWrittenOtherwise } from './written-otherwise.ts';

/** All of a text that says something else than it shows, read; undefined where there is nothing of the kind. */
export function decode(text: string): DerivedText | undefined {
  const derived = createDerivedText(text);
  addWrittenOtherwise(text, derived);
  addNamedParts(text, derived);
  addEncodedRuns(text, derived);
  return derived.build();
}
