/**
 * One file has many spellings: systems ignore case, normalization, trailing dots and spaces, or read `\` as `/` and
 * `.git::$DATA` as `.git`. A path is judged by every spelling that some system, tool or person could resolve it to.
 */

/** Invisible characters. HFS+ ignores most of them when it compares names. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Look-alike letters, as far as they occur in the names of rules. */
const lookAlikes: Record<string, string> = {
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ј: 'j',
    ԁ: 'd',
    һ: 'h',
    ԛ: 'q',
  },
  ...{
    ԝ: 'w',
    ո: 'n',
    ս: 'u',
    օ: 'o',
    ɡ: 'g',
    ı: 'i',
    ο: 'o',
    ν: 'v',
    ι: 'i',
    α: 'a',
    κ: 'k',
    ρ: 'p',
    τ: 't',
  },
};

/** Case folding, for names in paths and in rules alike. */
export function foldLetters(text: string): string {
  const folded = text.normalize('NFKC').replace(unseen, '').toLowerCase();
  // Most names contain none of these, and there can be very many names.
  if (isPlain.test(folded)) return folded;
  return Array.from(folded, (letter) => lookAlikes[letter] ?? letter).join('');
}

const isPlain = /^[ -~]*$/;

/** The path's segments from the repository root. Undefined when the path leaves the repository. */
export type Spelling = string[] | undefined;

export function spellPath(path: string): Spelling[] {
  const asWritten = foldLetters(path);
  // A program that decodes the path would get there.
  const decoded = asWritten.includes('%') ? [decodePercents(asWritten)] : [];
  return [asWritten, ...decoded].map(walk);
}

function walk(path: string): Spelling {
  if (/^([/\\]|[a-z]:|[a-z][a-z0-9+.-]{1,20}:\/\/)/.test(path)) return undefined;
  const names: string[] = [];
  for (const piece of path.split(/[/\\]/)) {
    if (piece === '' || piece === '.') continue;
    if (piece === '..') {
      if (names.pop() === undefined) return undefined;
      continue;
    }
    const name = trimName(piece);
    // Windows reduces a name of only dots and spaces to nothing, or to the parent folder.
    if (name === '') return undefined;
    names.push(name);
  }
  return isHome(names[0]) ? undefined : names;
}

/** Without what Windows drops: alternate streams, trailing dots and spaces. */
function trimName(piece: string): string {
  const stream = piece.indexOf(':', 1);
  const name = stream === -1 ? piece : piece.slice(0, stream);
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}

/** Prefixes that a shell expands to a folder of the machine. */
function isHome(name: string | undefined): boolean {
  return (
    name !== undefined &&
    /^(~[\w.-]*$|\$\{?(home|userprofile|tmpdir|appdata)\b|%(userprofile|appdata|home\w*)%)/.test(name)
  );
}

/** Decodes twice, since a path can be encoded twice. Invalid encodings stay as they are. */
function decodePercents(text: string): string {
  const once = (given: string) =>
    given.replace(/%[0-9a-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return foldLetters(once(once(text)));
}
