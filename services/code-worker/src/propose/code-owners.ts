import ignore from 'ignore';

/**
 * The users and teams that own changed paths, without their @. In CODEOWNERS the last matching line counts, and a line
 * without owners means that nobody owns its paths. Owners by e-mail address cannot be asked for a review.
 */
export function findOwners(codeOwners: string, paths: string[]): string[] {
  const lines = codeOwners.split('\n').flatMap(readLine);
  const owners = paths.flatMap((path) => lines.findLast(({ matches }) => matches(path))?.owners ?? []);
  return [...new Set(owners)];
}

function readLine(line: string): { matches: (path: string) => boolean; owners: string[] }[] {
  const [pattern, ...rest] = line
    .replace(/(^|\s)#.*$/, '')
    .trim()
    .split(/\s+/);
  // CODEOWNERS has no negation, and no ranges of characters.
  if (!pattern || /^!|[[\]]/.test(pattern)) return [];
  const matcher = ignore().add(pattern);
  const owners = rest.flatMap((each) => (/^@[\w.-]+(\/[\w.-]+)?$/.test(each) ? [each.slice(1)] : []));
  return [{ matches: (path) => matcher.ignores(path), owners }];
}
