/**
 * Redacts every text that leaves a process for people: events, logs, answers, proposals. The installation's own
 * secrets are known exactly, and more are registered at run time; all others are found by the scanner.
 */
import { findSecrets, type Search } from '../find-secrets.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import { maskedText, replacePlaces } from './create-mask.ts';
import type { Place } from './find-strings.ts';
import { createFormFinder, createOwnFinder } from './own-secrets.ts';

export interface Redaction {
  /** Registers more secrets of the installation. */
  register(...secrets: (string | undefined)[]): void;
  /** The positions of the installation's secrets in a text. */
  places(text: string): Place[];
  /** Removes the installation's own secrets. */
  own(text: string): string;
  /** Removes the installation's own secrets in their usual spellings: fast enough for everything that is recorded. */
  record<T>(value: T): T;
  /** Removes those, and everything that the scanner finds. */
  text(text: string): string;
  /** Plain data with every string redacted. Returns the same object when nothing changed. */
  value<T>(value: T): T;
}

/** A scan blocks the event loop. */
const timeoutMs = 2_000;
/** No rule matches a shorter text. */
const shortest = 8;
const mostRegistered = 1_000;
/** A complete token of the vault. */
const maskToken = /⟦secret:[0-9a-f]{12,16}:[a-z0-9-]{1,40}⟧/g;

const isGiven = (secret: string | undefined): secret is string => secret !== undefined && secret !== '';

export function createRedaction(secrets: (string | undefined)[] = []): Redaction {
  const lasting = new Set(secrets.filter(isGiven));
  const registered = new Set<string>();
  let find = createOwnFinder([]);
  let findForms = createFormFinder([]);

  function register(...more: (string | undefined)[]): void {
    const before = registered.size;
    for (const secret of more.filter(isGiven)) if (!lasting.has(secret)) registered.add(secret);
    if (registered.size === before) return;
    // The oldest ones are access tokens that expired.
    for (const secret of registered) if (registered.size > mostRegistered) registered.delete(secret);
    update();
  }

  function update(): void {
    const known = [...lasting, ...registered];
    find = createOwnFinder(known);
    findForms = createFormFinder(known);
  }

  const own = (text: string) =>
    text.length < shortest ? text : replacePlaces(text, find(text), () => maskedText);
  const maskForms = (text: string) => replacePlaces(text, findForms(text), () => maskedText);
  const redact = (text: string) => (text.length < shortest ? text : redactFound(own(text)));
  update();
  return {
    register,
    places: (text) => find(text),
    own,
    record: (value) => redactValue(value, maskForms),
    text: redact,
    value: (value) => redactValue(value, redact),
  };
}

function redactFound(text: string): string {
  const { matches, unseenFrom } = findBesideTokens(text);
  const redacted = replacePlaces(text, matches, ({ rule }) => `[redacted: ${rule}]`);
  if (unseenFrom === undefined) return redacted;
  // Text that was not scanned is not shown.
  const seen = matches.filter(({ end }) => end <= unseenFrom);
  return `${replacePlaces(text.slice(0, unseenFrom), seen, ({ rule }) => `[redacted: ${rule}]`)}[not scanned]`;
}

/**
 * After a name such as `password`, a token looks like a secret: heuristic rules run without it. Known formats are
 * still searched inside it.
 */
function findBesideTokens(text: string): Search {
  const search = findSecrets(text, { timeoutMs });
  const bare = text.replace(maskToken, (token) => ' '.repeat(token.length));
  if (bare === text || search.matches.length === 0) return search;
  const isToken = ({ start, end }: Match) => bare.slice(start, end).trim() === '' && text[start] === '⟦';
  const sure = search.matches.filter((match) => match.severity === 'high' && !isToken(match));
  const { matches, unseenFrom = search.unseenFrom } = findSecrets(bare, { timeoutMs });
  const all = mergeMatches([...sure, ...matches]);
  return unseenFrom === undefined ? { matches: all } : { matches: all, unseenFrom };
}

/** Our own field names are plain words; others come from the author of the data. */
const plainKey = /^[A-Za-z]{1,40}$/;

function redactValue<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redact));
    return (items.some((item, at) => item !== value[at]) ? items : value) as T;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(
    ([key, each]) => [plainKey.test(key) ? key : redact(key), redactValue(each, redact)] as const,
  );
  const before = value as Record<string, unknown>;
  const isSame = entries.every(([key, each]) => Object.hasOwn(before, key) && each === before[key]);
  return isSame ? value : (Object.fromEntries(entries) as T);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
