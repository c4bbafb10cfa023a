/** Detects characters that are invisible or that change how others are displayed, except where a script needs them. */
import type { ContentCheck, Found } from './content-rule.ts';
import { isProse, type Line, type Reading } from './read-content.ts';

interface CharacterRule {
  rule: Found['rule'];
  characters: RegExp;
  /** What must stand directly before, directly after, or anywhere in the line for the character to be legitimate. */
  home?: { before?: RegExp; after?: RegExp; inLine?: RegExp };
}

/** Letters that may join with their neighbours: all except those of alphabets that never do. */
const joining =
  /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]]/v;
const pictured = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const withoutSpaces =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Regional flags use a few tag characters in a row. A longer row is hidden text. */
const flagsOnly = /^(?!.*[\u{e0020}-\u{e007f}]{8}).*\u{1f3f4}/su;

/** A character passes when one rule finds it legitimate. Otherwise the first rule that matches it decides. */
const characterRules: CharacterRule[] = [
  { rule: 'bidirectional-control', characters: /[\u202a-\u202e\u2066-\u2069]/u },
  { rule: 'bidirectional-control', characters: /[\u200e\u200f\u061c]/u, home: { inLine: rightToLeft } },
  { rule: 'invisible-character', characters: /\u200d/u, home: { before: pictured, after: pictured } },
  { rule: 'invisible-character', characters: /\u200c|\u200d|\u034f/u, home: { before: joining } },
  { rule: 'invisible-character', characters: /\u200b/u, home: { before: withoutSpaces } },
  {
    rule: 'invisible-character',
    characters: /[\ufe00-\ufe0f]/u,
    home: { before: /[\p{S}\p{P}\p{Script=Han}\p{Script=Mongolian}\p{Extended_Pictographic}0-9#*]/u },
  },
  { rule: 'invisible-character', characters: /[\u{e0100}-\u{e01ef}]/u, home: { before: /\p{Script=Han}/u } },
  {
    rule: 'invisible-character',
    characters: /[\u{e0020}-\u{e007f}]/u,
    home: { before: /[\u{1f3f4}\u{e0020}-\u{e007e}]/u, inLine: flagsOnly },
  },
  {
    rule: 'invisible-character',
    characters: /[\u115f\u1160\uffa0]/u,
    home: { before: /\p{Script=Hangul}/u },
  },
  { rule: 'invisible-character', characters: /[\u180b-\u180f]/u, home: { before: /\p{Script=Mongolian}/u } },
  { rule: 'invisible-character', characters: /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u },
  { rule: 'control-character', characters: /\p{Cc}/u },
];

/** All of them in one pattern, to skip most lines quickly. Tabs are always legitimate. */
const suspect = /[[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cc}]--[\t\f]]/v;
/** Letters of other alphabets that look like Latin ones. */
const alike = 'аеорсухіѕјԁһАВЕКМНОРСТХІЅЈοΟΑΒΕΖΗΙΚΜΝΡΤΥΧ';
const mixed = new RegExp(`[A-Za-z][${alike}]|[${alike}][A-Za-z]`, 'u');

export const findInvisible: ContentCheck = (reading) =>
  reading.added.flatMap((line) => lookAtLine(line, reading));

function lookAtLine(line: Line, reading: Reading): Found[] {
  const found: Found[] = [];
  const { number, text } = line;
  if (suspect.test(text)) {
    const letters = Array.from(text);
    const lineHas = createLineTest(text);
    for (const [index, letter] of letters.entries()) {
      if (!suspect.test(letter) || isUsual(letter, { index, number, reading })) continue;
      const rule = judgeCharacter(letters, index, lineHas);
      if (rule) found.push({ rule, line: number, token: nameCharacter(letter) });
      // One objection per line is enough.
      if (found.length > 10) break;
    }
  }
  const word = isProse(reading) ? undefined : mixed.exec(text);
  if (word) found.push({ rule: 'look-alike-letters', line: number, token: word[0] });
  return found;
}

/** A byte order mark at the very start, soft hyphens in prose, colour codes in recorded output. */
function isUsual(
  letter: string,
  { index, number, reading }: { index: number; number: number; reading: Reading },
) {
  if (letter === '\ufeff') return index === 0 && number === 1;
  if (letter === '\u00ad') return isProse(reading);
  return letter === '\u001b' && reading.extension === 'snap';
}

function judgeCharacter(letters: string[], index: number, lineHas: LineTest): Found['rule'] | undefined {
  const letter = letters[index] ?? '';
  let rule: Found['rule'] | undefined;
  for (const { characters, home, rule: name } of characterRules) {
    if (!characters.test(letter)) continue;
    const { before, after, inLine } = home ?? {};
    const fits =
      home !== undefined &&
      (before?.test(letters[index - 1] ?? '') ?? true) &&
      (after?.test(letters[index + 1] ?? '') ?? true) &&
      (inLine === undefined || lineHas(inLine));
    if (fits) return undefined;
    rule ??= name;
  }
  return rule;
}

type LineTest = (pattern: RegExp) => boolean;

/** Once per pattern, since a line can be long and contain many such characters. */
function createLineTest(text: string): LineTest {
  const known = new Map<RegExp, boolean>();
  return (pattern) => {
    const has = known.get(pattern) ?? pattern.test(text);
    known.set(pattern, has);
    return has;
  };
}

function nameCharacter(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
