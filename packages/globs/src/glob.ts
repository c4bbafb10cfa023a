/**
 * Globs over workspace paths: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}` and `\`. A pattern without
 * a slash matches the file name in any folder. Unlike Node's `path.matchesGlob`, wildcards also match dotfiles.
 */
import { compileName, matchSequence } from './name-pattern.ts';

const maxPatternLength = 1000;
const maxAlternatives = 64;

/** `code` follows Node's convention, so that callers need no `instanceof`. */
class GlobError extends Error {
  override readonly name = 'GlobError';
  readonly code = 'ERR_INVALID_GLOB';
}

type Component = ((name: string) => boolean) | 'any depth';

export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern === '' || pattern.length > maxPatternLength || pattern.startsWith('!')) {
    throw new GlobError(
      `${JSON.stringify(pattern.slice(0, 100))} is not a valid glob: it must have 1 to ${maxPatternLength} characters and not begin with "!"`,
    );
  }
  const alternatives = expandBraces(pattern.replace(/^\.?\//, '')).map((alternative) => {
    const names = alternative.split('/').filter((name) => name !== '');
    const components = names.map((name): Component => (name === '**' ? 'any depth' : compileName(name)));
    return pattern.includes('/') ? components : (['any depth', ...components] satisfies Component[]);
  });
  return (path) => {
    const names = path.split('/');
    return alternatives.some((components) => matchSequence(components, names, isAnyDepth, matchComponent));
  };
}

function isAnyDepth(component: Component): boolean {
  return component === 'any depth';
}

function matchComponent(component: Component, name: string): boolean {
  return component === 'any depth' || component(name);
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
    if (expanded.length + done.length > maxAlternatives) {
      throw new GlobError(`a glob may have at most ${maxAlternatives} alternatives`);
    }
    pending = expanded;
  }
  return done;
}

/** Finds the first innermost group that contains a comma. */
function findBraces(text: string): { before: string; options: string[]; after: string } | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
  if (match === null) return undefined;
  return {
    before: text.slice(0, match.index),
    options: (match[1] ?? '').split(','),
    after: text.slice(match.index + match[0].length),
  };
}
