import type { Match } from '../finding.ts';
import { lookAlikes } from './look-alikes.ts';
import type { Scan } from './maintained-rules.ts';
import { secretRules } from './rule-table.ts';
import type { SecretRule } from './secret-rule.ts';

/** One function for each rule, so that a time limit can be looked at between them. */
export const ownRules: Scan[] = secretRules.map((rule) => (text) => [...matchRule(rule, text)]);

export function* matchRule({ id, severity, pattern, accepts }: SecretRule, text: string): Generator<Match> {
  for (const match of text.matchAll(pattern)) {
    const value = Object.values(match.groups ?? {}).find((group) => group !== undefined) ?? match[0];
    if (accepts && !accepts(value)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    yield { rule: id, severity, start, end: start + value.length, value };
  }
}

const contextLength = 80;

/** Whether it is one of the usual things that only look like a secret. */
export function isLookAlike({ start, value, severity }: Match, text: string): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const context = text.slice(Math.max(line, start - contextLength), start);
  return lookAlikes.some(
    (rule) =>
      !(rule.guessesOnly && severity === 'high') &&
      (rule.before?.test(context) ?? true) &&
      (rule.value?.test(value) ?? true),
  );
}
