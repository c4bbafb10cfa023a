// Globs over workspace paths: `*` and `?` within a component, `**` across them, `[a-z]`, `{a,b}` and `\`. A
// pattern without a slash matches the file name in any folder. Files that begin with a dot are files like all
// others, which node's own `path.matchesGlob` does not offer.
import { SandboxError } from '../../sandbox/src/protocol/sandbox-error.ts';
import { compileName, matchSequence } from './name-pattern.ts';

const MAX_PATTERN_LENGTH = 1000;
const MAX_ALTERNATIVES = 64;

type Component = ((name: string) => boolean) | 'any depth';

export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH || pattern.startsWith('!')) {
    throw new SandboxError(
      'bad_pattern',
      `${JSON.stringify(pattern.slice(0, 100))} is not a glob that can be used`,
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
