import { decode } from '../decode/decode.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import type { Leak } from './scan-with-gitleaks.ts';

const deepest = 3;

/** The positions of the leaks. Gitleaks reports lines and columns of the chunk it scanned, so they cannot be used. */
export function toMatches(text: string, leaks: Leak[]): Match[] {
  const distinct = new Map(leaks.map((leak) => [`${leak.RuleID}\0${leak.Secret}`, leak]));
  const matches = [...distinct.values()].flatMap((leak): Match[] => {
    const found = locateLeak(text, leak);
    return found.length > 0 ? found : [{ ...asMatch(leak), start: 0, end: 0, hidden: true }];
  });
  return mergeMatches(matches);
}

/** The positions of one leak: plain, or by decoding if it does not occur plain. */
export function locateLeak(text: string, leak: Leak): Match[] {
  const plain = listPlaces(text, leak.Secret);
  if (plain.length > 0) return plain.map((place) => ({ ...asMatch(leak), ...place, hidden: false }));
  const hidden = locateHidden(text, leak.Secret, 0);
  return hidden === undefined ? [] : [{ ...asMatch(leak), ...hidden, hidden: true }];
}

function asMatch({ RuleID, Secret }: Leak): Pick<Match, 'rule' | 'severity' | 'value'> {
  return { rule: `gitleaks/${RuleID}`, severity: 'high', value: Secret };
}

interface Place {
  start: number;
  end: number;
}

function listPlaces(text: string, secret: string): Place[] {
  const places: Place[] = [];
  if (secret === '') return places;
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length))
    places.push({ start: at, end: at + secret.length });
  return places;
}

function locateHidden(text: string, secret: string, depth: number): Place | undefined {
  const derived = depth < deepest ? decode(text) : undefined;
  if (!derived) return undefined;
  const place = listPlaces(derived.text, secret)[0] ?? locateHidden(derived.text, secret, depth + 1);
  return place && derived.locate(place.start, place.end);
}
