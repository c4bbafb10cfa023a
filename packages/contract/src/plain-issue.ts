/** Says in plain English what is wrong with a value. The messages of zod are written for programmers. */
import type { z } from 'zod';

const ofZod = /^(Invalid|Too (small|big)|Unrecognized key)/;

/** Messages that a schema of ours defines stay as they are. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  return ofZod.test(issue.message) ? describe(issue) : issue.message;
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined$/.test(issue.message) ? 'is missing' : `must be ${nameType(issue.expected)}`;
    case 'invalid_value':
      if (/received undefined$/.test(issue.message)) return 'is missing';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return describeBound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return describeBound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return formats[issue.format] ?? 'does not have the expected form';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    default:
      return 'is not valid';
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function nameType(expected: string): string {
  return types[expected] ?? `a ${expected}`;
}

const units: Record<string, string> = { string: 'character', array: 'entry', set: 'entry' };

function describeBound(origin: string, bound: number | bigint, comparison: string): string {
  const unit = units[origin];
  if (unit === undefined) return `must be ${comparison} ${bound}`;
  if (comparison === 'at least' && bound === 1) return 'must not be empty';
  const plural = unit === 'entry' ? 'entries' : 'characters';
  return `must have ${comparison} ${bound} ${bound === 1 ? unit : plural}`;
}

const formats: Record<string, string> = {
  url: 'must be a URL such as https://example.com',
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
};
