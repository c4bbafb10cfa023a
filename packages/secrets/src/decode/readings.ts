/** The ways in which characters can be escaped or split in place. Each has examples, checked by a test. */
export interface Reading {
  name: string;
  /** A text without this marker need not be matched against the pattern, which is slow. */
  needs?: RegExp;
  /** Global, with every repetition bounded. */
  pattern: RegExp;
  read(match: RegExpExecArray): string;
  /** The escaped form, and what it decodes to. */
  examples: [written: string, read: string][];
}

const literal = `["'\`][^"'\`\\n]{0,200}["'\`]`;
const listed = `(?:${literal}[\\s,]{0,40})`;
const nothing = () => '';
const lookAlikeLetters: Record<string, string> = Object.fromEntries(
  [...'аеорсхуіѕһԁɡοԛѡ'].map((letter, at) => [letter, 'aeopcxyishdgoqw'[at] ?? '']),
);

export const readings: Reading[] = [
  {
    name: 'invisible characters',
    // Combining characters are listed separately: in a class with others they would be misread.
    pattern:
      /(?:[\0\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|\udb40[\udc00-\udfff])+/g,
    read: nothing,
    examples: [
      ['a\u200bb\u00adc', 'abc'],
      ['a\u{e0061}\u{e0062}b', 'ab'],
      ['a\0b\0', 'ab'],
    ],
  },
  {
    name: 'escapes in sixteens',
    pattern:
      /(?:\\u\{(?<point>[0-9a-fA-F]{1,6})\}|\\u(?<u>[0-9a-fA-F]{4})|\\x(?<x>[0-9a-fA-F]{2})|%(?<percent>[2-7][0-9a-fA-F])|&#x(?<entity>[0-9a-fA-F]{2});)/g,
    read: (match) => character(Number.parseInt(firstGroup(match), 16)),
    examples: [
      ['\\u0067\\x68%70&#x5f;', 'ghp_'],
      ['\\u{67}h', 'gh'],
    ],
  },
  {
    name: 'octal escapes',
    pattern: /\\([01][0-7]{2})/g,
    read: ([, digits = '']) => character(Number.parseInt(digits, 8)),
    examples: [['\\147\\150p', 'ghp']],
  },
  {
    name: 'decimal entities',
    pattern: /&#(\d{2,3});/g,
    read: ([, digits]) => character(Number(digits)),
    examples: [['&#103;&#104;p', 'ghp']],
  },
  {
    name: 'strings put together',
    pattern: /(?<=[\w+/=.-])["'`](?:\s{1,40}|\s{0,40}(?:\+|\.\.?|&|\|\||\\)\s{0,80})["'`](?=[\w+/=.-])/g,
    read: nothing,
    examples: [
      ['"ab" + "cd"', '"abcd"'],
      ["'ab' . 'cd'", "'abcd'"],
      ['"ab"\n  "cd"', '"abcd"'],
      ['"ab" +\n  "cd"', '"abcd"'],
    ],
  },
  {
    name: 'lists that are joined',
    needs: /\.join|join\(/,
    pattern: new RegExp(
      `(?:\\[|Array\\()\\s{0,20}${listed}{2,60}[\\])]\\s{0,20}\\.join\\([^)\\n]{0,4}\\)|\\.join\\(\\s{0,4}[\\[(]\\s{0,20}${listed}{2,60}[\\])]\\s{0,4}\\)`,
      'g',
    ),
    read: ([all]) => readLiterals(all.replace(/\.join\([^[(]{0,4}\)$/, '')),
    examples: [
      ["['ab', 'cd'].join('')", 'abcd'],
      ['"".join(["ab","cd"])', '""abcd'],
    ],
  },
  {
    name: 'strings that are appended',
    needs: /\.concat\(/,
    pattern: new RegExp(`["'\`]\\.concat\\(\\s{0,4}${listed}{1,60}\\)`, 'g'),
    read: ([all]) => `${readLiterals(all.slice(1))}${all[0]}`,
    examples: [['"ab".concat("cd", "ef")', '"abcdef"']],
  },
  {
    name: 'strings in a template',
    pattern: new RegExp(`\\$\\{\\s{0,4}(${literal})\\s{0,4}\\}`, 'g'),
    read: ([, inserted = '']) => inserted.slice(1, -1),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: occurs in scanned code.
    examples: [['`ab${"cd"}`', '`abcd`']],
  },
  {
    name: 'strings that are turned round',
    needs: /reverse|\[::-1\]|\.rev\(/,
    pattern:
      /(["'`][^"'`\n]{8,300}["'`])(?:\.split\([^)]{0,4}\)\.reverse|\.chars\(\)\.rev|\.reverse|\[::-1\])/g,
    read: ([, text = '']) => [...text].reverse().join(''),
    examples: [['"hgfedcba"[::-1]', '"abcdefgh"']],
  },
  {
    name: 'lines that go on',
    pattern: /\\\r?\n[ \t]{0,40}(?=[\w+/=-])/g,
    read: nothing,
    examples: [['ab\\\n  cd', 'abcd']],
  },
  {
    name: 'wide and mathematical letters',
    pattern: /[\uff01-\uff5e]+|(?:\ud835[\udc00-\udfff])+/g,
    read: ([letters]) => letters.normalize('NFKC'),
    examples: [['ｇｈｐ＿', 'ghp_']],
  },
  {
    name: 'letters of other alphabets that look alike',
    pattern: /[аеорсхуіѕһԁɡοԛѡ]{1,8}(?=[A-Za-z0-9_])/g,
    read: ([letters]) => [...letters].map((letter) => lookAlikeLetters[letter] ?? letter).join(''),
    examples: [['gh\u0440_', 'ghp_']],
  },
];

function firstGroup({ groups = {} }: RegExpExecArray): string {
  return Object.values(groups).find((group) => group !== undefined) ?? '';
}

function character(code: number): string {
  return code === 0 || code > 0x10ffff ? '' : String.fromCodePoint(code);
}

function readLiterals(text: string): string {
  return [...text.matchAll(new RegExp(literal, 'g'))].map(([each]) => each.slice(1, -1)).join('');
}
