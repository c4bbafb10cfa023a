// What a model must not see of one operation, and the tokens that stand for it. A token is made from the secret
// and a key of the operation: a second attempt that reads the same file makes the same token, and who sees only
// the token can guess nothing. It ends in a check, so that a token of ours is known for one before its secret is.
import { createHmac, randomUUID } from 'node:crypto';
import { createFinder, type Place } from './find-strings.ts';

export interface Vault {
  readonly key: string;
  /** What each token stands for, by its id; the oldest first. */
  readonly secrets: Map<string, string>;
  /** The token of each secret that is known wherever it stands. */
  readonly known: Map<string, string>;
  /** Made anew when more are known. */
  finder: ((text: string) => Place[]) | undefined;
}

const idLength = 12;
const checkLength = 4;
export const wholeToken = /⟦secret:[0-9a-f]{16}:[a-z0-9-]{1,40}⟧/g;
/** What is left of one that was changed: its beginning, its end, or its middle in other brackets. */
export const tokenPiece =
  /(?:⟦|\\u27e6|\\u\{27e6\})\s{0,3}sec|secret:[0-9a-f]{12}|secret:[0-9a-f]{6,11}:|[0-9a-f]{3,16}:[a-z0-9-]{1,40}(?:⟧|\\u27e7|\\u\{27e7\})/gi;

/** Nobody reads more; a program that prints secrets without end must not fill the memory. */
const mostSecrets = 5_000;
/** Shorter ones stand in texts by chance. */
const shortestKnown = 8;

/** The key is a secret of the worker's, the same for all attempts of an operation; without one, a new one. */
export function createVault(key: string = randomUUID()): Vault {
  return { key, secrets: new Map(), known: new Map(), finder: undefined };
}

/** Puts a secret away and gives the token for it: the same one each time, by whichever rule it is found. */
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

/** Where secrets stand that were seen before: alone, they have nothing around them that would give them away. */
export function findKnown(text: string, vault: Vault): Place[] {
  if (vault.known.size === 0) return [];
  vault.finder ??= createFinder([...vault.known.keys()]);
  return vault.finder(text);
}

/** Whether a token was made with this key, be its secret known or not. */
export function isOurs(vault: Vault, token: string): boolean {
  const { id, check, rule } = readToken(token);
  return check === checkOf(vault, id, rule);
}

export function secretOf(vault: Vault, token: string): string | undefined {
  return isOurs(vault, token) ? vault.secrets.get(readToken(token).id) : undefined;
}

/** The tokens of this key in a text, each once. */
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

/** The frame of a key and lines that nobody looked at are no secrets by themselves. */
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
