import type { Place } from './find-strings.ts';
import { createOwnFinder } from './own-secrets.ts';

export const maskedText = '[masked]';

/** Removes the installation's own secrets from a text, should they come back from outside. */
export function createMask(secrets: string[]): (text: string) => string {
  const find = createOwnFinder(secrets);
  return (text) => replacePlaces(text, find(text), () => maskedText);
}

/** Sorted positions. Where they overlap, all of them are covered. */
export function replacePlaces<P extends Place>(
  text: string,
  places: P[],
  replacement: (place: P) => string,
): string {
  let replaced = '';
  let done = 0;
  for (const place of places) {
    const { start, end } = place;
    if (start >= done) replaced += text.slice(done, start) + replacement(place);
    done = Math.max(done, end);
  }
  return done === 0 ? text : replaced + text.slice(done);
}
