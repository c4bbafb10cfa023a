/** Creates secret-like texts from templates such as `token={hx32}`, so that no file contains one. */
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const letters = capitals + capitals.toLowerCase();

const alphabets: Record<string, string> = {
  an: letters + digits,
  lc: capitals.toLowerCase() + digits,
  uc: `${capitals}234567`,
  hx: `${digits}abcdef`,
  b64: `${letters}${digits}+/`,
  b64u: `${letters}${digits}-_`,
  dg: digits,
};

export type Random = () => number;

/** Seeded numbers (xorshift32). */
export function createRandom(seed: number): Random {
  // Seeds with few bits set would start with similar numbers.
  let state = Math.imul(seed + 1, 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** `{an36}` becomes 36 letters and digits, `{uuid}` a UUID, `{pem900}` the wrapped body of a key,
 * `{pair}` a name and a password in base64, `{dashes}` the BEGIN and END lines of a key. */
export function synthesize(template: string, random: Random): string {
  return template.replace(
    /\{(dashes|uuid|pair|pem|b64u?|an|lc|uc|hx|dg)(\d*)\}/g,
    (_, kind: string, count: string) => {
      if (kind === 'dashes') return '-----';
      if (kind === 'uuid') return synthesize('{hx8}-{hx4}-4{hx3}-a{hx3}-{hx12}', random);
      if (kind === 'pair') return Buffer.from(`acme:${pick('an', 20, random)}`).toString('base64');
      if (kind === 'pem') return wrap(pick('b64', Number(count), random));
      return pick(kind, Number(count), random);
    },
  );
}

function pick(kind: string, count: number, random: Random): string {
  const alphabet = alphabets[kind] ?? '';
  return Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

function wrap(text: string): string {
  return (text.match(/.{1,64}/g) ?? []).join('\n');
}
