// Globs over workspace paths: `*` and `?` within a component, `**` across them, `[a-z]`, `{a,b}` and `\`. A
// pattern without a slash matches the file name in any folder. Files that begin with a dot are files like all
// others, which node's own `path.matchesGlob` does not offer. No regular expression is made of a pattern: the
// time to match grows with the product of the lengths, whatever the pattern.
import { SandboxError } from '../protocol/sandbox-error.ts';

const MAX_PATTERN_LENGTH = 1000;
const MAX_ALTERNATIVES = 64;

type Token = { kind: 'one'; accepts: (character: string) => boolean } | { kind: 'many' };
type Component = Token[] | 'any depth';

export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH || pattern.startsWith('!')) {
    throw new SandboxError(
      'bad_pattern',
      `${JSON.stringify(pattern.slice(0, 100))} is not a glob that can be used`,
    );
  }
  const alternatives = expandBraces(pattern.replace(/^\.?\//, '')).map((alternative) => {
    const names = alternative.split('/').filter((name) => name !== '');
    const components = names.map((name): Component => (name === '**' ? 'any depth' : parseComponent(name)));
    return pattern.includes('/') ? components : (['any depth', ...components] satisfies Component[]);
  });
  return (path) => {
    const names = path.split('/');
    return alternatives.some((components) => matchSequence(components, names, isAnyDepth, matchComponent));
  };
}

/**
 * The classic walk with one point to go back to: when matching fails, the last wildcard takes one more item.
 * Serves for components in a path and for characters in a component alike.
 */
function matchSequence<P, I>(
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

function isAnyDepth(component: Component): boolean {
  return component === 'any depth';
}

function matchComponent(component: Component, name: string): boolean {
  if (component === 'any depth') return true;
  const isMany = (token: Token) => token.kind === 'many';
  return matchSequence(component, [...name], isMany, (token, character) => {
    return token.kind === 'one' && token.accepts(character);
  });
}

function parseComponent(text: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    const close = character === '[' ? findClassEnd(characters, at) : -1;
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many' });
    } else if (character === '?') {
      tokens.push({ kind: 'one', accepts: () => true });
    } else if (close !== -1) {
      tokens.push({ kind: 'one', accepts: parseClass(characters.slice(at + 1, close)) });
      at = close;
    } else {
      if (character === '\\' && at + 1 < characters.length) at += 1;
      const literal = characters[at];
      tokens.push({ kind: 'one', accepts: (candidate) => candidate === literal });
    }
  }
  return tokens;
}

function findClassEnd(characters: string[], open: number): number {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^';
  // A bracket right after the opening one stands for itself.
  return characters.indexOf(']', open + (negated ? 3 : 2));
}

function parseClass(members: string[]): (character: string) => boolean {
  const negated = members[0] === '!' || members[0] === '^';
  const rest = negated ? members.slice(1) : members;
  const ranges: [string, string][] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const from = rest[at] as string;
    const to = rest[at + 1] === '-' ? rest[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== negated;
}

function expandBraces(pattern: string): string[] {
  let done: string[] = [];
  let pending = [pattern];
  while (pending.length > 0) {
    const expanded = pending.flatMap((text) => {
      const group = findBraces(text);
      if (group === undefined) {
        done = [...done, text];
        return [];
      }
      return group.options.map((option) => group.before + option + group.after);
    });
    if (expanded.length + done.length > MAX_ALTERNATIVES) {
      throw new SandboxError('bad_pattern', `a glob may have at most ${MAX_ALTERNATIVES} alternatives`);
    }
    pending = expanded;
  }
  return done;
}

/** The first group that has no group inside, if it has a comma. */
function findBraces(text: string): { before: string; options: string[]; after: string } | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
  if (match === null) return undefined;
  return {
    before: text.slice(0, match.index),
    options: (match[1] ?? '').split(','),
    after: text.slice(match.index + match[0].length),
  };
}
