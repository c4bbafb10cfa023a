import { listForms } from './secret-forms.ts';

const maskedText = '[masked]';

/**
 * Takes the installation's own secrets out of a text, plain or encoded, should they ever come back to us from
 * outside. One pattern for all of them, bounded by their lengths: the time grows with the text alone.
 */
export function createMask(secrets: string[]): (text: string) => string {
  const forms = listForms(secrets);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.join('|'), 'g');
  return (text) => {
    let masked = '';
    let done = 0;
    for (const { start, end } of listPlaces(pattern, text)) {
      masked += text.slice(done, start) + maskedText;
      done = end;
    }
    return done === 0 ? text : masked + text.slice(done);
  };
}

/** Where secrets overlap, none may leave its rest behind: the search goes on one character behind each beginning. */
function listPlaces(pattern: RegExp, text: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = match.index;
    const end = start + match[0].length;
    const last = places.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else places.push({ start, end });
    pattern.lastIndex = start + 1;
  }
  return places;
}
