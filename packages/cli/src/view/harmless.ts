/**
 * Makes foreign text (of a model, a repository, a program) safe to print. Characters that could move the cursor, change
 * colors, the clipboard or the title, or reverse the reading order are replaced by visible symbols.
 */
export function harmless(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(/\t/g, '    ').replace(dangerous, toSymbol);
}

/** The same, on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\n+/g, ' ');
}

// Control and format characters (except the joiner that emoji need), line and paragraph separators, private use.
const dangerous = /(?![\n\u{200d}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

function toSymbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u{2421}';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
