/**
 * Finds the rules that cover a path. A tree has many paths but few distinct names, so the result per name is cached.
 */
import { type PathRule, splitWords } from './path-rule.ts';
import { pathRules } from './path-rules.ts';

const byName = new Map<string, PathRule[]>();
for (const rule of pathRules)
  for (const name of splitWords(rule.names)) byName.set(name, [...(byName.get(name) ?? []), rule]);

const byPath = pathRules.flatMap((rule) =>
  splitWords(rule.paths).map((path) => ({
    rule,
    path: `/${path.replace(/^\//, '')}/`,
    atRoot: path.startsWith('/'),
  })),
);

const maxKnownNames = 50_000;
const known = new Map<string, PathRule[]>();

const byWriting = pathRules.filter(({ written }) => written !== undefined);

/** `path` is the path as given; `names` are the segments of one of its spellings. */
export function findRules(path: string, names: string[]): PathRule[] {
  const whole = `/${names.join('/')}/`;
  return [
    ...names.flatMap(rulesOfName),
    ...byWriting.filter(({ written }) => written?.test(path)),
    ...byPath.flatMap(({ rule, path: part, atRoot }) =>
      (atRoot ? whole.startsWith(part) : whole.includes(part)) ? [rule] : [],
    ),
  ];
}

function rulesOfName(name: string): PathRule[] {
  const before = known.get(name);
  if (before) return before;
  const like = pathRules.filter((rule) => rule.like?.test(name) && !rule.unlike?.test(name));
  const found = [...(byName.get(name) ?? []), ...like];
  if (known.size >= maxKnownNames) known.clear();
  known.set(name, found);
  return found;
}
