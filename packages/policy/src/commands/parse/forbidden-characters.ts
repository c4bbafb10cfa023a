/** Characters that make a line look different from what it is, or that control a terminal. */
import { type Refusal, refuse } from '../refusal.ts';

interface Forbidden {
  rule: string;
  characters: RegExp;
  reason: string;
  instead: string;
}

const forbidden: Forbidden[] = [
  {
    rule: 'shell/control-character',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
    characters: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u,
    reason: 'control characters are not allowed in a command line',
    instead:
      'leave it out; for a search, write it as an escape that the program knows, as in grep -P "\\x1b"',
  },
  {
    rule: 'shell/look-alike-space',
    characters: /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u,
    reason: 'this character only looks like a space; a shell does not split the line there',
    instead: 'use a plain space',
  },
  {
    rule: 'shell/invisible-character',
    characters:
      /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u,
    reason: 'invisible characters make a line look different from what it runs',
    instead: 'leave it out',
  },
];

export function findForbiddenCharacter(line: string): Refusal | undefined {
  if (!line.isWellFormed()) return refuse('shell/control-character', 'the line is not valid Unicode');
  for (const { rule, characters, reason, instead } of forbidden) {
    const found = characters.exec(line)?.[0];
    if (found !== undefined) return refuse(rule, reason, { token: nameCharacters(found), instead });
  }
  return undefined;
}

function nameCharacters(found: string): string {
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
