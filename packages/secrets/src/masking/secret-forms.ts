/** The usual spellings of a known secret. Other escapes and splits are found by decoding. */

const shortest = 8;
const shortestLine = 20;

export function listForms(secrets: string[]): string[] {
  const whole = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/).filter(isKeyLine)]);
  const known = [...new Set(whole.map((secret) => secret.trim()))].filter(({ length }) => length >= shortest);
  return known.flatMap((secret) => [
    secret,
    ...escapedForms(secret),
    ...hexadecimal(secret),
    ...base64(secret),
  ]);
}

/** Each line of a key is secret, since texts are indented and truncated. The BEGIN and END lines are not. */
function isKeyLine(line: string, _: number, lines: string[]): boolean {
  return lines.length > 1 && line.length >= shortestLine && !line.startsWith('-----');
}

function escapedForms(secret: string): string[] {
  const all = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`);
  const form = new URLSearchParams({ a: secret }).toString().slice('a='.length);
  const addresses = [encodeURIComponent(secret), form, all.join('')];
  const json = JSON.stringify(secret).slice(1, -1);
  return [...addresses, ...addresses.map(inSmallLetters), json, json.replaceAll('/', '\\/'), html(secret)];
}

function inSmallLetters(address: string): string {
  return address.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}

function html(secret: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return secret.replace(/[&<>"]/g, (char) => entities[char] ?? char);
}

function hexadecimal(secret: string): string[] {
  const digits = Buffer.from(secret).toString('hex');
  return [digits, digits.toUpperCase()];
}

/**
 * In base64, three bytes make four characters, so a secret inside a longer text has one of three spellings,
 * with its first and last characters mixed with their neighbours; those are omitted.
 */
function base64(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = bytes
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
