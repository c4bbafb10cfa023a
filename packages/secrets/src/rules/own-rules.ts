import type { Match } from '../finding.ts';
import { isDocumentedExample } from './documented-examples.ts';
import { lookAlikes } from './look-alikes.ts';
import { type MayHave, markOf } from './marks.ts';
import { secretRules } from './rule-table.ts';
import type { SecretRule } from './secret-rule.ts';

export type Scan = (text: string, mayHave: MayHave) => Match[];

/** One function per rule, so that a time limit can be checked between them. */
export const ownRules: Scan[] = secretRules.map(prepareRule);

export function prepareRule({ id, severity, patterns, accepts = () => true }: SecretRule): Scan {
  const marked = patterns.map((pattern) => ({ pattern, mark: markOf(pattern) }));
  return (text, mayHave) =>
    marked
      .filter(({ mark }) => mark === '' || mayHave(mark))
      .flatMap(({ pattern }) => matchPattern(pattern, text, accepts))
      .map((place) => ({ rule: id, severity, hidden: false, ...place }));
}

type Place = Pick<Match, 'start' | 'end' | 'value'>;

function matchPattern(pattern: RegExp, text: string, accepts: (secret: string) => boolean): Place[] {
  const places: Place[] = [];
  // Not matchAll, which compiles a new pattern each time: most texts are short, and most patterns find nothing.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const value = secretOf(match);
    // A secret before its marker is found by looking back.
    const within = match[0].lastIndexOf(value);
    const start = within === -1 ? match.index - value.length : match.index + within;
    if (accepts(value)) places.push({ start, end: start + value.length, value });
    // A match that is not a secret can contain one: a password in a connection string.
    else pattern.lastIndex = Math.max(start, match.index + 1);
  }
  return places;
}

function secretOf({ 0: whole, groups = {} }: RegExpExecArray): string {
  for (const name in groups) if (groups[name] !== undefined) return groups[name];
  return whole;
}

const contextLength = 80;

/** Whether the value is a known look-alike. */
export function isLookAlike({ start, value, severity }: Match, text: string): boolean {
  if (isDocumentedExample(value)) return true;
  const before = text.slice(Math.max(0, start - contextLength), start);
  const context = before.slice(before.lastIndexOf('\n') + 1);
  return lookAlikes.some(
    (rule) =>
      !(rule.guessesOnly && severity === 'high') &&
      value.length <= (rule.mostCharacters ?? Number.POSITIVE_INFINITY) &&
      (rule.before?.test(context) ?? true) &&
      (rule.value?.test(value) ?? true),
  );
}
