import { findSecrets, type Search } from '../find-secrets.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import { usualTimeoutMs } from '../scan-text.ts';
import { createFinder } from './find-strings.ts';
import { deposit, tokenPiece, type Vault } from './vault.ts';

/** Shorter ones stand in texts by chance. */
const shortestKnown = 8;

/** Replaces what the scanner flags, and what it has flagged before in this operation, by tokens of the vault. */
export function maskSecrets(text: string, vault: Vault): string {
  const search = findSecrets(text, { timeoutMs: usualTimeoutMs });
  const matches = mergeMatches([
    ...search.matches,
    ...listUnseen(text, search),
    // So that what reads like a token already is put back exactly too.
    ...listPlaces(text, tokenPiece, 'quoted-token'),
    ...listKnown(text, vault),
  ]);
  let masked = '';
  let done = 0;
  for (const { start, end, rule } of matches) {
    masked += text.slice(done, start) + maskLines(text.slice(start, end), rule, vault);
    done = end;
  }
  return masked + text.slice(done);
}

/** What was not looked at is not shown. */
function listUnseen(text: string, { unseenFrom }: Search): Match[] {
  return unseenFrom === undefined ? [] : [asMatch(text, 'not-scanned', unseenFrom, text.length)];
}

/** A value alone, in the output of a command, has nothing around it that would give it away. */
function listKnown(text: string, { secrets }: Vault): Match[] {
  const known = [...new Set(secrets.values())].filter(
    (secret) => secret.length >= shortestKnown && !secret.startsWith('-----'),
  );
  return createFinder(known)(text).map(({ start, end }) => asMatch(text, 'seen-before', start, end));
}

function listPlaces(text: string, pattern: RegExp, rule: string): Match[] {
  return [...text.matchAll(pattern)].map((match) =>
    asMatch(text, rule, match.index, match.index + match[0].length),
  );
}

function asMatch(text: string, rule: string, start: number, end: number): Match {
  return { rule, severity: 'medium', start, end, value: text.slice(start, end), hidden: false };
}

/** Line by line, so that the lines keep their numbers and their indentation. */
function maskLines(secret: string, rule: string, vault: Vault): string {
  return secret.replace(/[^\s][^\n]*[^\s]|[^\s]/g, (line) => deposit(vault, line, rule));
}
