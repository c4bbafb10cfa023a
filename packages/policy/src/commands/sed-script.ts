/**
 * Parses a sed script far enough to know that it neither runs a program (`e`) nor writes to a file (`w`), and which
 * files it reads (`r`). Anything
 * it does not recognize is denied.
 */
import { type Refusal, refuse } from './refusal.ts';

const SINGLE = 'pPdDnNgGhHxlFz=';
const INSTEAD = 'use line numbers or /patterns/ with p, d, q, s/…/…/, a, i or c; for more, use edit_file';

type PathJudge = (path: string) => Refusal | undefined;
const openNothing: PathJudge = (path) => refuseSed(path, 'no file may be read here');

/** `judgeRead` judges the files that the script reads with `r`. */
export function findSedFault(script: string, judgeRead = openNothing): Refusal | undefined {
  if (script.trim() === '')
    return refuseSed(script, 'the script is empty; after -i, GNU sed takes no separate ending');
  let at = 0;
  while (at < script.length) {
    const step = readStep(script, at, judgeRead);
    if (typeof step !== 'number') return step;
    at = step;
  }
  return undefined;
}

/** Where the next command begins. */
function readStep(script: string, start: number, judgeRead: PathJudge): number | Refusal {
  let at = skip(script, start, /[\s;{}]*/y);
  if (at >= script.length) return at;
  if (script[at] === '#') return skip(script, at, /[^\n]*/y);
  const address = readAddresses(script, at);
  if (address === undefined) return refuseSed(script.slice(at), 'an address has no end');
  at = skip(script, address, /[\s!]*/y);
  const command = script[at] ?? '';
  const rest = script.slice(at);
  if (command === '{' || command === '}') return at + 1;
  if (command !== '' && SINGLE.includes(command)) return endOfStep(script, at + 1);
  if (command === 'q' || command === 'Q') return endOfStep(script, skip(script, at + 1, /\s*\d*/y));
  if (command === 's') return readSubstitution(script, at);
  if (command === 'y') return readTransliteration(script, at);
  // The text continues to the end of the line, and beyond when the line ends in a backslash.
  if (command !== '' && 'aic'.includes(command)) return skip(script, at + 1, /(?:[^\\\n]|\\.)*/sy);
  if (command === 'r') return readFileName(script, at, judgeRead);
  if (command !== '' && ':bt'.includes(command)) return readLabel(script, at);
  return refuseSed(
    rest,
    'only editing commands of sed are known, not those that run programs or write files',
  );
}

/** The name goes on to the end of the line. */
function readFileName(script: string, at: number, judgeRead: PathJudge): number | Refusal {
  const start = skip(script, at + 1, /[ \t]*/y);
  const end = skip(script, start, /[^\n]*/y);
  return judgeRead(script.slice(start, end)) ?? end;
}

/** sed versions differ in whether `#` is part of a label, and so in what is a comment. */
function readLabel(script: string, at: number): number | Refusal {
  const end = skip(script, at + 1, /[ \t]*\w*/y);
  return script[end] === '#' ? refuseSed(script.slice(at), 'a label has no # in it') : endOfStep(script, end);
}

function readAddresses(script: string, start: number): number | undefined {
  const first = readAddress(script, start);
  if (first === undefined || first === start) return first;
  const comma = skip(script, first, /\s*,\s*/y);
  return comma === first ? first : readAddress(script, comma);
}

function readAddress(script: string, start: number): number | undefined {
  const number = skip(script, start, /\$|[+~]?\d+(~\d+)?/y);
  if (number > start) return number;
  if (script[start] === '/') return skipFlags(findDelimiter(script, start + 1, '/'), script);
  if (script[start] === '\\')
    return skipFlags(findDelimiter(script, start + 2, script[start + 1] ?? ''), script);
  return start;
}

function skipFlags(end: number | undefined, script: string): number | undefined {
  return end === undefined ? undefined : skip(script, end, /[IM]*/y);
}

function readSubstitution(script: string, at: number): number | Refusal {
  const end = readTwoTexts(script, at);
  if (end === undefined) return refuseSed(script.slice(at), 'an s command has no end');
  const flags = skip(script, end, /[gpIiMm0-9]*/y);
  return endOfStep(script, flags);
}

function readTransliteration(script: string, at: number): number | Refusal {
  const end = readTwoTexts(script, at);
  return end === undefined ? refuseSed(script.slice(at), 'a y command has no end') : endOfStep(script, end);
}

/** The end of `s/one/two/`. */
function readTwoTexts(script: string, at: number): number | undefined {
  const delimiter = script[at + 1] ?? '';
  if (/[\s\\\w;{}]/.test(delimiter) || delimiter === '') return undefined;
  const middle = findDelimiter(script, at + 2, delimiter);
  return middle === undefined ? undefined : findDelimiter(script, middle, delimiter);
}

/** Directly after the closing delimiter. As in GNU sed, a backslash protects the delimiter and brackets do not. */
function findDelimiter(script: string, start: number, delimiter: string): number | undefined {
  for (let at = start; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === delimiter) return at + 1;
  }
  return undefined;
}

function endOfStep(script: string, at: number): number | Refusal {
  const end = skip(script, at, /[ \t]*/y);
  if (end >= script.length || /[\n;}#]/.test(script[end] ?? '')) return end;
  return refuseSed(script.slice(end), 'what follows is not known');
}

function skip(script: string, at: number, what: RegExp): number {
  what.lastIndex = at;
  return at + (what.exec(script)?.[0].length ?? 0);
}

function refuseSed(token: string, reason: string): Refusal {
  return refuse('sed', reason, { token: token.slice(0, 60), instead: INSTEAD });
}
