import { isOurs, listTokens, secretOf, tokenPiece, type Vault, wholeToken } from './vault.ts';

export type Unmasked = { ok: true; text: string } | { ok: false; reason: string };

/** Puts secrets back where the model left their tokens intact, and rejects tokens that it changed. */
export function unmask(text: string, vault: Vault): Unmasked {
  const flaw = findTokenFlaw(text, vault);
  if (flaw !== undefined) return { ok: false, reason: flaw };
  const lost = listTokens(text, vault).find((token) => secretOf(vault, token) === undefined);
  if (lost !== undefined) return { ok: false, reason: describeLost(lost) };
  return { ok: true, text: text.replace(wholeToken, (token) => secretOf(vault, token) ?? token) };
}

/** The problem with the tokens in a text, if any. */
export function findTokenFlaw(text: string, vault: Vault): string | undefined {
  const foreign = text.match(wholeToken)?.find((token) => !isOurs(vault, token));
  if (foreign !== undefined) return `'${asWords(foreign)}' was never given out in this operation. ${way}`;
  // The texts on both sides of a token are not adjacent.
  const [piece] = text.replace(wholeToken, '\0').match(tokenPiece) ?? [];
  return piece === undefined ? undefined : `'${asWords(piece)}' is a piece of a changed token. ${way}`;
}

/** The first token or fragment of a token, ours or not. */
export function findToken(text: string, vault: Vault): string | undefined {
  return listTokens(text, vault)[0] ?? text.match(wholeToken)?.[0] ?? text.match(tokenPiece)?.[0];
}

/** So that the message to the model does not contain something that reads like a token. */
function asWords(token: string): string {
  return token.replace(/[⟦⟧:\\]/g, ' ').trim();
}

const way = 'A token stands for a secret: write it exactly as it was shown, or leave its line as it is.';

function describeLost(token: string): string {
  return `What ${token} stands for is not known any more, since the work was interrupted after it was shown, and it is in no file that was looked through. Read it again, or leave its line as it is.`;
}
