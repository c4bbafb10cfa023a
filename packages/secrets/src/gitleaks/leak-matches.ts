import { decode } from '../decode/decode.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import type { Leak } from './scan-with-gitleaks.ts';

const deepest = 3;

/** Where the leaks stand. Its own lines and columns are those of the piece that it looked at, so they are of no use. */
export function toMatches(text: string, leaks: Leak[]): Match[] {
  const distinct = new Map(leaks.map((leak) => [`${leak.RuleID}\0${leak.Secret}`, leak]));
  const matches = [...distinct.values()].flatMap(({ RuleID, Secret }): Match[] => {
    const leak = { rule: `gitleaks/${RuleID}`, severity: 'high', value: Secret } as const;
    const plain = listPlaces(text, Secret).map((place) => ({ ...leak, ...place, hidden: false }));
    return plain.length > 0 ? plain : [{ ...leak, ...locateHidden(text, Secret, 0), hidden: true }];
  });
  return mergeMatches(matches);
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

/** A secret that was decoded is looked for by decoding; one that is not found that way stands at the beginning. */
function locateHidden(text: string, secret: string, depth: number): Place {
  const nowhere = { start: 0, end: 0 };
  const derived = depth < deepest ? decode(text) : undefined;
  if (!derived) return nowhere;
  const place = listPlaces(derived.text, secret)[0] ?? locateHidden(derived.text, secret, depth + 1);
  return place.end === 0 ? nowhere : derived.locate(place.start, place.end);
}
