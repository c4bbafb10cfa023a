/**
 * Patterns for one name of a path: `*`, `?`, `[a-z]`, `[[:alpha:]]` and `\`. Patterns are not compiled to regular
 * expressions, so matching is never slower than the product of both lengths, even for a hostile pattern.
 */

type Accepts = (character: string) => boolean;
type Token = { kind: 'one'; accepts: Accepts } | { kind: 'many' };

const classes: Record<string, RegExp> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[^\s\p{C}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{C}]/u,
  punct: /[\p{P}\p{S}]/u,
  space: /\s/,
  upper: /\p{Lu}/u,
  word: /[\p{L}\p{N}_]/u,
  xdigit: /[0-9A-Fa-f]/,
};

export function compileName(pattern: string): (name: string) => boolean {
  const tokens = parsePattern(pattern);
  const shortest = tokens.filter(({ kind }) => kind === 'one').length;
  return (name) =>
    name.length >= shortest &&
    matchSequence(
      tokens,
      [...name],
      ({ kind }) => kind === 'many',
      (token, character) => token.kind === 'one' && token.accepts(character),
    );
}

/**
 * Wildcard matching with a single backtracking point: on a mismatch, the last wildcard takes one more item. Used for the
 * names of a path and for the characters of a name.
 */
export function matchSequence<P, I>(
  pattern: P[],
  items: I[],
  isWildcard: (part: P) => boolean,
  matches: (part: P, item: I) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let wildcard = -1;
  let takenUpTo = 0;
  while (item < items.length) {
    const part = pattern[at];
    if (part !== undefined && isWildcard(part)) {
      wildcard = at;
      takenUpTo = item;
      at += 1;
    } else if (part !== undefined && matches(part, items[item] as I)) {
      at += 1;
      item += 1;
    } else if (wildcard !== -1) {
      at = wildcard + 1;
      takenUpTo += 1;
      item = takenUpTo;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isWildcard);
}

function parsePattern(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    const set = character === '[' ? parseSet(characters, at) : undefined;
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many' });
    } else if (character === '?') {
      tokens.push({ kind: 'one', accepts: () => true });
    } else if (set !== undefined) {
      tokens.push({ kind: 'one', accepts: set.accepts });
      at = set.close;
    } else {
      if (character === '\\' && at + 1 < characters.length) at += 1;
      tokens.push({ kind: 'one', accepts: between(characters[at] as string, characters[at] as string) });
    }
  }
  return tokens;
}

/** Returns undefined for a set without a closing bracket: its opening bracket is then a literal. */
function parseSet(characters: string[], open: number): { accepts: Accepts; close: number } | undefined {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  const members: Accepts[] = [];
  let at = first;
  while (at < characters.length) {
    // A closing bracket right after the opening one is a literal.
    if (characters[at] === ']' && at > first) {
      return { accepts: (character) => members.some((accepts) => accepts(character)) !== negated, close: at };
    }
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(''));
    const known = classes[named?.[1] ?? ''];
    if (named !== null && known !== undefined) {
      members.push((character) => known.test(character));
      at += named[0].length;
      continue;
    }
    const from = readMember(characters, at);
    const isRange = characters[from.next] === '-' && (characters[from.next + 1] ?? ']') !== ']';
    const to = isRange ? readMember(characters, from.next + 1) : from;
    members.push(between(from.character, to.character));
    at = to.next;
  }
  return undefined;
}

function readMember(characters: string[], at: number): { character: string; next: number } {
  const escaped = characters[at] === '\\' && at + 1 < characters.length;
  const place = escaped ? at + 1 : at;
  return { character: characters[place] as string, next: place + 1 };
}

function between(from: string, to: string): Accepts {
  const [low, high] = [from.codePointAt(0) as number, to.codePointAt(0) as number];
  return (character) => {
    const code = character.codePointAt(0) as number;
    return code >= low && code <= high;
  };
}
