import { decode } from '../decode/decode.ts';
import { createFinder, type Place } from './find-strings.ts';
import { listForms } from './secret-forms.ts';

const maskedText = '[masked]';
/** What is encoded may be encoded again. */
const deepest = 2;

/**
 * Takes the installation's own secrets out of a text, plain or encoded, should they ever come back to us from
 * outside. The time grows with the text alone.
 */
export function createMask(secrets: string[]): (text: string) => string {
  const forms = listForms(secrets);
  if (forms.length === 0) return (text) => text;
  const find = createFinder(forms);
  return (text) => {
    let masked = '';
    let done = 0;
    for (const { start, end } of listPlaces(find, text, 0).sort((a, b) => a.start - b.start)) {
      // Where places overlap, none may leave its rest behind.
      if (start >= done) masked += text.slice(done, start) + maskedText;
      done = Math.max(done, end);
    }
    return done === 0 ? text : masked + text.slice(done);
  };
}

function listPlaces(find: (text: string) => Place[], text: string, depth: number): Place[] {
  const derived = depth < deepest ? decode(text) : undefined;
  if (!derived) return find(text);
  const hidden = listPlaces(find, derived.text, depth + 1);
  return [...find(text), ...hidden.map(({ start, end }) => derived.locate(start, end))];
}
