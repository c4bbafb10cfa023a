/**
 * Turns a shell word into words of the plan: removes quotes, expands braces, keeps globs for the toolbox. Anything
 * that depends on more than the line itself is denied.
 */
import type { CommandPlan } from '@fettle/contract';
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { type Refusal, refuse } from '../refusal.ts';
import { expandBraces } from './expand-braces.ts';
import { findLooseDollar } from './find-loose-dollar.ts';
import { readPrintedText } from './here-document.ts';
import { refuseSyntax } from './refuse-syntax.ts';

export type PlanWord = Extract<
  CommandPlan[number]['commands'][number]['argv'][number],
  { text: string } | { glob: string }
>;

/** A piece of a word: literal text, or a glob character. */
interface Piece {
  text: string;
  isPattern: boolean;
}
type Resolved<T> = { ok: true; value: T } | Refusal;

/** bash also expands tildes in arguments that look like assignments. */
const TILDE = /^~|^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=(~|.*:~)/s;
const PLAIN_CLASS = /^\[[!^]?[A-Za-z0-9_.-]+\]$/;
const KNOWN_ESCAPES = /^\$'([^\\]|\\[nt\\'"])*'$/su;
const PATTERN_SIGNS = /[\\*?[\]{}!]/g;

export function resolveWord(word: Word): Resolved<PlanWord[]> {
  if (TILDE.test(word.text)) {
    return refuse('shell/tilde', 'there is no home folder here', {
      token: word.text,
      instead: 'name a path of the workspace; quote the word if the tilde is literal',
    });
  }
  const pieces = resolveParts(word);
  if (!pieces.ok) return pieces;
  return { ok: true, value: pieces.value.map(joinPieces) };
}

/** For positions where a shell allows only one word, and where a glob would be a guess. */
export function resolveSingle(word: Word): Resolved<string> {
  const resolved = resolveWord(word);
  if (!resolved.ok) return resolved;
  const [only, ...others] = resolved.value;
  if (only !== undefined && others.length === 0 && 'text' in only) return { ok: true, value: only.text };
  return refuse('shell/pattern', 'a pattern cannot stand here', {
    token: word.text,
    instead: 'write the name, or quote it if the characters are literal',
  });
}

/** The value of a variable is one word, in which glob characters are literal. */
export function resolveAssigned(word: Word): Resolved<string> {
  const pieces = resolveParts(word);
  if (!pieces.ok) return pieces;
  const [only, ...others] = pieces.value;
  if (only === undefined || others.length > 0) return refuseBraces(word.text);
  return { ok: true, value: only.map(({ text }) => text).join('') };
}

function resolveParts(word: Word): Resolved<Piece[][]> {
  const parts = word.parts ?? [];
  const dollar = findLooseDollar(maskResolved(word));
  if (dollar !== undefined) return refuseDollar(parts, dollar);
  if (parts.length === 0) {
    if (hasUnmarkedBraces(word.text)) return refuseBraces(word.text);
    return { ok: true, value: [[{ text: word.value, isPattern: false }]] };
  }
  const unquoted = parts.map((part) => (part.type === 'Literal' ? part.text : ' ')).join('');
  if (hasUnmarkedBraces(unquoted)) return refuseBraces(word.text);
  let words: Piece[][] = [[]];
  for (const part of parts) {
    const options = resolvePart(part);
    if (!options.ok) return options;
    const [only, ...others] = options.value;
    if (only !== undefined && others.length === 0) for (const pieces of words) pieces.push(...only);
    else words = words.flatMap((pieces) => options.value.map((option) => [...pieces, ...option]));
    if (words.length > 100) return refuseBraces(word.text);
  }
  return words.some((pieces) => pieces.length === 0) ? refuseBraces(word.text) : { ok: true, value: words };
}

/** The possible replacements of the part: one list of pieces, or several where braces offer alternatives. */
function resolvePart(part: WordPart): Resolved<Piece[][]> {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return literal(part.value);
    case 'DoubleQuoted': {
      const texts: string[] = [];
      for (const child of part.parts) {
        const text = resolveQuoted(child);
        if (!text.ok) return text;
        texts.push(text.value);
      }
      return literal(texts.join(''));
    }
    case 'AnsiCQuoted':
      return KNOWN_ESCAPES.test(part.text) ? literal(part.value) : refuseSyntax('LocaleString', part.text);
    case 'Glob':
      if (part.kind === 'bracket' && !PLAIN_CLASS.test(part.text)) return refuseClass(part.text);
      return { ok: true, value: [[{ text: part.text, isPattern: true }]] };
    case 'BraceExpansion': {
      const options = expandBraces(part.text);
      return options === undefined ? refuseBraces(part.text) : { ok: true, value: options.map(toPieces) };
    }
    default:
      return refuseSyntax(part.type, part.text);
  }
}

/** What stands in double quotes is one text. */
function resolveQuoted(child: DoubleQuotedChild): Resolved<string> {
  if (child.type === 'Literal') return { ok: true, value: child.value };
  return child.type === 'CommandExpansion' ? readPrintedText(child) : refuseSyntax(child.type, child.text);
}

/** Without what was resolved in double quotes, which may contain any character. */
function maskResolved({ text, pos, parts = [] }: Word): string {
  let masked = text;
  for (const part of parts) {
    if (part.type !== 'DoubleQuoted') continue;
    for (const child of part.parts) {
      if (child.type === 'Literal' || !resolveQuoted(child).ok) continue;
      const [from, to] = [child.pos - pos, child.end - pos];
      masked = masked.slice(0, from) + 'x'.repeat(to - from) + masked.slice(to);
    }
  }
  return masked;
}

/** Trust the parser's classification where it gives one. */
function refuseDollar(parts: readonly WordPart[], dollar: string): Refusal {
  for (const part of parts) {
    const resolved = resolvePart(part);
    if (!resolved.ok) return resolved;
  }
  return refuseSyntax('SimpleExpansion', dollar);
}

/** The parser reports brace expansion. Where it reports none and a shell might expand, deny. */
function hasUnmarkedBraces(text: string): boolean {
  const inner = text.slice(text.indexOf('{') + 1, text.lastIndexOf('}') + 1);
  return text.includes('{') && (inner.includes(',') || inner.includes('..'));
}

function literal(text: string): Resolved<Piece[][]> {
  return { ok: true, value: [[{ text, isPattern: false }]] };
}

/** An alternative in braces can contain glob characters, as in `{*.ts,*.js}`. An empty one adds nothing. */
function toPieces(option: string): Piece[] {
  return option
    .split(/([*?])/)
    .filter((text) => text !== '')
    .map((text) => ({ text, isPattern: text === '*' || text === '?' }));
}

/** A word that begins like a flag (`--include=*.ts`) names no file, although a shell would try to match one. */
function joinPieces(pieces: Piece[]): PlanWord {
  const text = pieces.map((piece) => piece.text).join('');
  if (text.startsWith('-') || !pieces.some(({ isPattern }) => isPattern)) return { text };
  const glob = pieces
    .map((piece) => (piece.isPattern ? piece.text : piece.text.replace(PATTERN_SIGNS, '\\$&')))
    .join('');
  return { glob };
}

function refuseBraces(token: string): Refusal {
  return refuse('shell/braces', 'braces are expanded only for plain lists and short ranges', {
    token,
    instead: 'write the words out, or quote them if the braces are literal',
  });
}

function refuseClass(token: string): Refusal {
  return refuse('shell/pattern', 'only plain sets of characters such as [a-z] are known in patterns', {
    token,
    instead: 'quote the word if the brackets are part of a name',
  });
}
