// What a model must not see of one operation, and the tokens that stand for it. A token is made from the secret
// and a key of the operation: a second attempt that reads the same file makes the same token, and who sees only
// the token can guess nothing.
import { createHmac, randomUUID } from 'node:crypto';

export interface Vault {
  readonly key: string;
  /** What each token stands for. */
  readonly secrets: Map<string, string>;
}

const idLength = 12;
export const wholeToken = /⟦secret:[0-9a-f]{12}:[a-z0-9-]{1,40}⟧/g;
/** What is left of one that was changed: its brackets, or its beginning in other brackets. */
export const tokenPiece = /[⟦⟧]|\\u27e[67]|secret:[0-9a-f]{6,}/gi;

/** The key is a secret of the worker's, the same for all attempts of an operation; without one, a new one. */
export function createVault(key: string = randomUUID()): Vault {
  return { key, secrets: new Map() };
}

/** Puts a secret away and gives the token for it. */
export function deposit(vault: Vault, secret: string, rule: string): string {
  const id = createHmac('sha256', vault.key).update(`${rule}\0${secret}`).digest('hex').slice(0, idLength);
  const token = `⟦secret:${id}:${rule}⟧`;
  vault.secrets.set(token, secret);
  return token;
}
