import { decode } from '../decode/decode.ts';
import { createFinder, type Place } from './find-strings.ts';
import { listForms } from './secret-forms.ts';

/** An encoded text can contain another encoding. */
const deepest = 2;

/** Only the usual spellings of a secret, which takes a fraction of the time. */
export function createFormFinder(secrets: string[]): (text: string) => Place[] {
  return createFinder(listForms(secrets));
}

/** Finds known secrets, plain or encoded. The time depends only on the length of the text. */
export function createOwnFinder(secrets: string[]): (text: string) => Place[] {
  const forms = listForms(secrets);
  if (forms.length === 0) return () => [];
  const find = createFinder(forms);
  return (text) => listPlaces(find, text, 0).sort((a, b) => a.start - b.start);
}

function listPlaces(find: (text: string) => Place[], text: string, depth: number): Place[] {
  const derived = depth < deepest ? decode(text) : undefined;
  if (!derived) return find(text);
  const hidden = listPlaces(find, derived.text, depth + 1);
  return [...find(text), ...hidden.map(({ start, end }) => derived.locate(start, end))];
}
