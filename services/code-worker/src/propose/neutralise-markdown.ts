/**
 * Makes the agent's text harmless in a pull request: it cannot hide what follows, load images, define links, notify
 * people, close issues, or pretend to be a section of Fettle's own.
 *
 * Only code blocks whose fence starts at the beginning of a line stay unchanged, because every Markdown parser agrees on
 * them. Code spans and fences inside lists are parsed differently, so all other text, and everything behind an indented
 * fence, gets zero-width spaces that break HTML, images, mentions and references.
 */

/** A zero-width space, as a character: inside code, an entity would be shown. */
const gap = '\u200b';

export function neutraliseMarkdown(text: string, maxLength: number): string {
  const isLong = text.length > maxLength;
  const lines = (isLong ? `${text.slice(0, maxLength)}…` : text).split(/\r\n|[\n\r\u2028\u2029]/);
  let fence: string | undefined;
  let isUnclear = false;
  const safe = lines.map((line) => {
    if (fence !== undefined) {
      // As in CommonMark: indented by up to three spaces, at least as long, and nothing behind it but blanks.
      const [, end = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
      if (end.startsWith(fence)) fence = undefined;
      return line;
    }
    if (!isUnclear) [, fence] = /^(`{3,})[^`]*$/.exec(line) ?? /^(~{3,})/.exec(line) ?? [];
    // Whether the next fence opens or closes a block depends on where this one belongs.
    isUnclear ||= fence === undefined && /^[^`~]+(?:`{3}|~{3})/.test(line);
    return fence === undefined ? neutraliseLine(line) : line;
  });
  return (fence === undefined ? safe : [...safe, fence]).join('\n');
}

/** For text that is not shown as Markdown, such as a commit message. */
export function neutraliseReferences(text: string): string {
  return text
    .replace(/@(?=[\w-])|#(?=\d)/g, (sign) => `${sign}${gap}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${gap}`)
    .replace(/\b(clos(?:e[sd]?)|fix(?:e[sd])?|resolve[sd]?)(:?\s+)(?=https?:)/gi, `$1${gap}$2${gap}`);
}

const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function neutraliseLine(line: string): string {
  const shown = line
    .replace(directions, '')
    .replaceAll('<', `<${gap}`)
    .replace(/&(?=[#\w])/g, `&${gap}`)
    .replaceAll('![', `!${gap}[`)
    // A definition would turn `[words]` anywhere in the body, also in Fettle's own text, into a link.
    .replaceAll(']:', `]${gap}:`);
  return (
    neutraliseReferences(shown)
      // A heading, also in a list or a quotation, and a line that makes a heading of the one above it.
      .replace(/^((?:[\s>*+-]|\d+[.)])*)(#{1,6})(?=\s|$)/, '$1\\$2')
      .replace(/^(\s*)(=+|-+)(?=\s*$)/, '$1\\$2')
  );
}
