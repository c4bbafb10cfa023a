/** The ways in which a secret that is known can stand in a text, as patterns. */

const shortest = 8;
const shortestLine = 20;

/** Everything to look for, the longest first: where one begins like another, the longer one is meant. */
export function listForms(secrets: string[]): string[] {
  const whole = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/).filter(isKeyLine)]);
  const known = [...new Set(whole.map((secret) => secret.trim()))].filter(({ length }) => length >= shortest);
  const forms = known.flatMap((secret) => [spelled(secret), hex(secret), ...base64(secret)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The lines of a key are secret one by one, since texts are indented and cut; its frame is not. */
function isKeyLine(line: string, _: number, lines: string[]): boolean {
  return lines.length > 1 && line.length >= shortestLine && !line.startsWith('-----');
}

/** Each character as it is, or as addresses, JSON and HTML write it: which ones are escaped differs from tool to tool. */
function spelled(secret: string): string {
  return [...secret].map((char) => `(?:${[...new Set(spellings(char))].join('|')})`).join('');
}

function spellings(char: string): string[] {
  const bytes = [...Buffer.from(char)].map((byte) => `%${eitherCase(byte.toString(16).padStart(2, '0'))}`);
  const units = Array.from(
    { length: char.length },
    (_, at) => `\\\\u${eitherCase(char.charCodeAt(at).toString(16).padStart(4, '0'))}`,
  );
  return [RegExp.escape(char), bytes.join(''), units.join(''), ...(named[char] ?? []).map(RegExp.escape)];
}

const named: Record<string, string[]> = {
  ' ': ['+'],
  '\n': ['\\n', '\r\n', '\\r\\n'],
  '"': ['\\"', '&quot;', '&#34;'],
  "'": ["\\'", '&#39;', '&apos;'],
  '\\': ['\\\\'],
  '/': ['\\/', '&#x2F;'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
};

function eitherCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function hex(secret: string): string {
  return eitherCase(Buffer.from(secret).toString('hex'));
}

/**
 * In base64, three bytes make four characters, so that a secret inside a longer text looks in one of three ways,
 * with its first and last character mixed with its neighbours'; those are left out.
 */
function base64(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = bytes
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return whole.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
}
