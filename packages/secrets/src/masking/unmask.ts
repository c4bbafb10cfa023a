import { tokenPiece, type Vault, wholeToken } from './vault.ts';

export type Unmasked = { ok: true; text: string } | { ok: false; reason: string };

/** Puts the secrets back where the model left their tokens as they were, and refuses what it has changed. */
export function unmask(text: string, vault: Vault): Unmasked {
  let unmasked = '';
  let done = 0;
  for (const { 0: token, index } of text.matchAll(wholeToken)) {
    const secret = vault.secrets.get(token);
    if (secret === undefined) return refuse(`${token} was never given out in this operation.`);
    unmasked += text.slice(done, index) + secret;
    done = index + token.length;
  }
  const [piece] = text.replace(wholeToken, '\n').match(tokenPiece) ?? [];
  if (piece !== undefined) return refuse(`'${piece}' is a piece of a changed token.`);
  return { ok: true, text: unmasked + text.slice(done) };
}

function refuse(what: string): Unmasked {
  const way = 'A token stands for a secret: write it exactly as it was shown, or leave its line as it is.';
  return { ok: false, reason: `${what} ${way}` };
}
