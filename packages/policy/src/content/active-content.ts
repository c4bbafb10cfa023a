/** Detects images and documents that execute something when they are opened. */
import type { ContentCheck } from './content-rule.ts';

interface ActivePattern {
  what: string;
  pattern: RegExp;
}

/** Each pattern is applied to one element, from its `<` to the next. */
const inDrawings: ActivePattern[] = [
  { what: 'a script', pattern: /^(?:[\w-]{1,30}:)?(?:script|handler|listener)[\s/>]/i },
  {
    what: 'a page inside',
    pattern: /^(?:[\w-]{1,30}:)?(?:iframe|embed|object|audio|video|link|meta|base)[\s/>]/i,
  },
  { what: 'an entity', pattern: /^!(?:entity\b|doctype[^>]*\[)/i },
  { what: 'a style sheet from elsewhere', pattern: /^\?xml-stylesheet\b/i },
  { what: 'an event handler', pattern: /[\s"'/]on[a-z]{3,30}\s{0,20}=/i },
  { what: 'a script address', pattern: /(?:java|vb)\s{0,20}script\s{0,20}:/i },
  {
    what: 'a page in an address',
    pattern: /data:(?:text\/(?:html|xml|javascript)|image\/svg|application\/(?:xml|xhtml|javascript))/i,
  },
  {
    what: 'a reference to elsewhere',
    // Plain links are allowed: the user sees the target before clicking.
    pattern: /^(?!a[\s>])[^>]*\b(?:href|src|to|values)\s{0,20}=["'\s]{0,20}(?:https?:|file:)?\/\//i,
  },
  { what: 'a style from elsewhere', pattern: /(?:@import|url\()[\s"'(url]{0,20}(?:https?:|file:)?\/\//i },
];
const inPictures: ActivePattern[] = [
  { what: 'a script', pattern: /<script[\s/>]/i },
  { what: 'a program', pattern: /<\?php\s|<%@\s/i },
];
const inDocuments: ActivePattern[] = [
  { what: 'a script', pattern: /\/(?:JavaScript|JS)[\s/(<]/ },
  { what: 'an action', pattern: /\/(?:Launch|OpenAction|AA|RichMedia|EmbeddedFile)[\s/(<[]/ },
];

const kinds: { extension: RegExp; patterns: ActivePattern[]; separator?: string }[] = [
  { extension: /^svgz?$/, patterns: inDrawings, separator: '<' },
  { extension: /^(png|jpe?g|gif|webp|avif|ico|bmp|tiff?)$/, patterns: inPictures },
  { extension: /^pdf$/, patterns: inDocuments },
];

export const findActiveContent: ContentCheck = ({ extension, before, after }) => {
  const kind = kinds.find((each) => each.extension.test(extension));
  if (!kind) return [];
  if (extension === 'svgz') return [{ rule: 'active-content', token: 'a packed drawing' }];
  const { patterns, separator } = kind;
  const find = (bytes: Buffer) =>
    findIn(patterns, separator === undefined ? [decode(bytes)] : decode(bytes).split(separator));
  const known = before ? find(before) : new Set();
  return [...find(after)]
    .filter((what) => !known.has(what))
    .map((token) => ({ rule: 'active-content' as const, token }));
};

function findIn(patterns: ActivePattern[], pieces: string[]): Set<string> {
  const hits = patterns.filter(({ pattern }) => pieces.some((piece) => pattern.test(piece)));
  return new Set(hits.map(({ what }) => what));
}

/** Decodes to ASCII, which is all a browser executes: UTF-16 without its zero bytes, numeric entities resolved. */
function decode(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/&#(x[0-9a-f]{1,8}|[0-9]{1,8});?/gi, (_whole, code: string) =>
      String.fromCharCode(Number(code[0] === 'x' || code[0] === 'X' ? `0${code}` : code) % 0x10000),
    )
    .replace(/&(tab|newline|colon|sol|lpar);/gi, (_whole, name: string) => named[name.toLowerCase()] ?? '');
}

const named: Record<string, string> = { tab: '\t', newline: '\n', colon: ':', sol: '/', lpar: '(' };
