import { findSecrets } from '../find-secrets.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import { deposit, findKnown, isOurs, tokenPiece, type Vault, wholeToken } from './vault.ts';

/** A megabyte takes about ten milliseconds. A text that takes this long was made to. */
const usualTimeoutMs = 2_000;
/** Nobody reads a text with more secrets. The rest is hidden as a whole, which takes no time. */
const mostMatches = 2_000;

/**
 * Replaces what the scanner finds, and what it found before in this operation, by tokens of the vault. Existing tokens
 * stay, so that a text can be masked more than once.
 */
export function maskSecrets(text: string, vault: Vault, { timeoutMs = usualTimeoutMs } = {}): string {
  // The scanner would take a token after `password=` for the password.
  const bare = text.replace(wholeToken, (token) => (isOurs(vault, token) ? ' '.repeat(token.length) : token));
  const search = findSecrets(bare, { timeoutMs });
  const matches = mergeMatches([
    ...search.matches,
    // So that text that already reads like a token is restored exactly, too.
    ...[wholeToken, tokenPiece].flatMap((pattern) => listPlaces(bare, pattern, 'quoted-token')),
    ...findKnown(bare, vault).map(({ start, end }) => asMatch(bare, 'seen-before', start, end)),
  ]);
  // Text that was not scanned is not shown.
  const seen = Math.min(search.unseenFrom ?? text.length, matches[mostMatches]?.start ?? text.length);
  let masked = '';
  let done = 0;
  for (const { start, end, rule } of matches) {
    if (start >= seen) break;
    masked += text.slice(done, start) + maskLines(text.slice(start, end), rule, vault);
    done = end;
  }
  const from = Math.max(done, seen);
  const rest = text.slice(from);
  return masked + text.slice(done, from) + (rest && deposit(vault, rest, 'not-scanned'));
}

function listPlaces(text: string, pattern: RegExp, rule: string): Match[] {
  return [...text.matchAll(pattern)].map((match) =>
    asMatch(text, rule, match.index, match.index + match[0].length),
  );
}

function asMatch(text: string, rule: string, start: number, end: number): Match {
  return { rule, severity: 'medium', start, end, value: text.slice(start, end), hidden: false };
}

/** Line by line, so that lines keep their numbers and indentation. */
function maskLines(secret: string, rule: string, vault: Vault): string {
  const mask = (piece: string) =>
    piece.replace(/[^\s][^\n]*[^\s]|[^\s]/g, (line) => deposit(vault, line, rule));
  const tokens = secret.match(wholeToken) ?? [];
  if (!tokens.some((token) => isOurs(vault, token))) return mask(secret);
  return secret
    .split(wholeToken)
    .map((piece, index) => mask(piece) + keepOurs(tokens[index] ?? ''))
    .join('');

  function keepOurs(token: string): string {
    return isOurs(vault, token) ? token : mask(token);
  }
}
