/**
 * The secrets of one operation that a model must not see, and the tokens that replace them. A token is derived from
 * the secret and a key of the operation: another attempt that reads the same file creates the same token, and the
 * token reveals nothing. It ends in a checksum, so that our tokens are recognized before their secrets are known.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createFinder, type Place } from './find-strings.ts';

export interface Vault {
  readonly key: string;
  /** The secret of each token, by id, oldest first. */
  readonly secrets: Map<string, string>;
  /** The token of each secret that is masked wherever it occurs. */
  readonly known: Map<string, string>;
  /** Rebuilt when secrets are added. */
  finder: ((text: string) => Place[]) | undefined;
}

const idLength = 12;
const checkLength = 4;
export const wholeToken = /⟦secret:[0-9a-f]{16}:[a-z0-9-]{1,40}⟧/g;
/** A fragment of a changed token: its beginning, its end, or its middle in other brackets. */
export const tokenPiece =
  /(?:⟦|\\u27e6|\\u\{27e6\})\s{0,3}sec|secret:[0-9a-f]{12}|secret:[0-9a-f]{6,11}:|[0-9a-f]{3,16}:[a-z0-9-]{1,40}(?:⟧|\\u27e7|\\u\{27e7\})/gi;

/** Nobody reads more. A program that prints secrets without end must not fill the memory. */
const mostSecrets = 5_000;
/** Shorter strings occur by chance. */
const shortestKnown = 8;

/** The key is a secret of the worker, the same for all attempts of an operation. Without one, a random key is used. */
export function createVault(key: string = randomUUID()): Vault {
  return { key, secrets: new Map(), known: new Map(), finder: undefined };
}

/** Stores a secret and returns its token: the same one each time, whichever rule found it. */
export function deposit(vault: Vault, secret: string, rule: string): string {
  const shown = vault.known.get(secret);
  if (shown !== undefined) return shown;
  const id = sign(vault, secret).slice(0, idLength);
  const token = `⟦secret:${id}${checkOf(vault, id, rule)}:${rule}⟧`;
  vault.secrets.set(id, secret);
  if (isKnowable(secret, rule)) {
    vault.known.set(secret, token);
    vault.finder = undefined;
  }
  dropOldest(vault);
  return token;
}

/** The positions of secrets seen before. Without context, no rule would find them. */
export function findKnown(text: string, vault: Vault): Place[] {
  if (vault.known.size === 0) return [];
  vault.finder ??= createFinder([...vault.known.keys()]);
  return vault.finder(text);
}

/** Whether a token was created with this key, even if its secret is unknown. */
export function isOurs(vault: Vault, token: string): boolean {
  const { id, check, rule } = readToken(token);
  return check === checkOf(vault, id, rule);
}

export function secretOf(vault: Vault, token: string): string | undefined {
  return isOurs(vault, token) ? vault.secrets.get(readToken(token).id) : undefined;
}

/** The tokens of this key in a text, without duplicates. */
export function listTokens(text: string, vault: Vault): string[] {
  return [...new Set(text.match(wholeToken))].filter((token) => isOurs(vault, token));
}

function readToken(token: string): { id: string; check: string; rule: string } {
  const [, number = '', rule = ''] = token.slice(0, -1).split(':');
  return { id: number.slice(0, idLength), check: number.slice(idLength), rule };
}

function checkOf(vault: Vault, id: string, rule: string): string {
  return sign(vault, `${id}\0${rule}`).slice(0, checkLength);
}

function sign({ key }: Vault, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The BEGIN and END lines of a key, and unscanned lines, are not secrets by themselves. */
function isKnowable(secret: string, rule: string): boolean {
  return secret.length >= shortestKnown && !secret.startsWith('-----') && rule !== 'not-scanned';
}

function dropOldest({ secrets, known }: Vault): void {
  if (secrets.size <= mostSecrets) return;
  for (const [id, secret] of secrets) {
    secrets.delete(id);
    known.delete(secret);
    return;
  }
}
