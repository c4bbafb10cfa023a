/**
 * One file has many spellings: systems ignore case, code points, trailing dots and spaces, or take `\` for `/` and
 * `.git::$DATA` for `.git`. A path is judged by the spellings that some system, tool or person would take it for.
 */

/** What nobody sees: HFS+ leaves most of it out when it compares names. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters of other alphabets that nobody can tell from ours, as far as names of rules are spelt with them. */
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

/** As letters compare; for names in paths and in rules alike. */
export function foldLetters(text: string): string {
  const folded = text.normalize('NFKC').replace(unseen, '').toLowerCase();
  // Most names have none of these, and there may be very many names.
  if (isPlain.test(folded)) return folded;
  return Array.from(folded, (letter) => lookAlikes[letter] ?? letter).join('');
}

const isPlain = /^[ -~]*$/;

/** The names on the way from the root of the repository, or nothing where the way leads out of it. */
export type Spelling = string[] | undefined;

export function spellPath(path: string): Spelling[] {
  const asWritten = foldLetters(path);
  // Whoever decodes it would get there.
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
    // Of a name that is nothing but dots and spaces Windows leaves nothing, or the folder above.
    if (name === '') return undefined;
    names.push(name);
  }
  return isHome(names[0]) ? undefined : names;
}

/** Without what Windows drops: a stream, and dots and spaces at the end. */
function trimName(piece: string): string {
  const stream = piece.indexOf(':', 1);
  const name = stream === -1 ? piece : piece.slice(0, stream);
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}

/** What a shell would put a folder of the machine in the place of. */
function isHome(name: string | undefined): boolean {
  return (
    name !== undefined &&
    /^(~[\w.-]*$|\$\{?(home|userprofile|tmpdir|appdata)\b|%(userprofile|appdata|home\w*)%)/.test(name)
  );
}

/** Twice, since it may be encoded twice; what is no encoding stays. */
function decodePercents(text: string): string {
  const once = (given: string) =>
    given.replace(/%[0-9a-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return foldLetters(once(once(text)));
}
