import { decode } from '../decode/decode.ts';
import { createFinder, type Place } from './find-strings.ts';
import { listForms } from './secret-forms.ts';

/** What is encoded may be encoded again. */
const deepest = 2;

/** The usual ways of writing a secret only, which takes a fraction of the time. */
export function createFormFinder(secrets: string[]): (text: string) => Place[] {
  return createFinder(listForms(secrets));
}

/** Finds secrets that are known, plain or encoded. The time grows with the text alone. */
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
