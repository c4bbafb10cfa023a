import { findSecrets, type Search } from '../find-secrets.ts';
import type { Match } from '../finding.ts';
import { mergeMatches } from '../merge-matches.ts';
import { deposit, findKnown, isOurs, tokenPiece, type Vault, wholeToken } from './vault.ts';

/** A megabyte takes some ten milliseconds; what takes this long was made to. */
const usualTimeoutMs = 2_000;

/**
 * Replaces what the scanner flags, and what it has flagged before in this operation, by tokens of the vault. Tokens
 * that stand there already stay, so that a text can be masked again on its way.
 */
export function maskSecrets(text: string, vault: Vault, { timeoutMs = usualTimeoutMs } = {}): string {
  // The scanner would take a token behind `password=` for the password.
  const bare = text.replace(wholeToken, (token) => (isOurs(vault, token) ? ' '.repeat(token.length) : token));
  const search = findSecrets(bare, { timeoutMs });
  const matches = mergeMatches([
    ...search.matches,
    ...listUnseen(bare, search),
    // So that what reads like a token already is put back exactly too.
    ...[wholeToken, tokenPiece].flatMap((pattern) => listPlaces(bare, pattern, 'quoted-token')),
    ...findKnown(bare, vault).map(({ start, end }) => asMatch(bare, 'seen-before', start, end)),
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
