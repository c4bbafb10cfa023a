import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssue } from './errors.ts';

const schema = z.strictObject({
  text: z.string().min(1).max(3).optional(),
  key: z.string().min(8).optional(),
  count: z.coerce.number().int().min(1).max(9).optional(),
  amount: z.number().positive().optional(),
  kind: z.enum(['a', 'b']).optional(),
  version: z.literal(1).optional(),
  list: z.array(z.string()).max(1).optional(),
  url: z.url().optional(),
  at: z.iso.datetime().optional(),
  name: z.string().regex(/^x/).optional(),
  ours: z.string().regex(/^x/, 'must begin with x').optional(),
  flag: z.boolean().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  nested: z.object({ needed: z.string(), choice: z.enum(['a', 'b']) }).optional(),
});

test.each([
  [{ text: '' }, 'text: must not be empty'],
  [{ text: 'long' }, 'text: must have at most 3 characters'],
  [{ text: 7 }, 'text: must be text'],
  [{ key: 'short' }, 'key: must have at least 8 characters'],
  [{ count: 'x' }, 'count: must be a number'],
  [{ count: 1.5 }, 'count: must be a whole number'],
  [{ count: 0 }, 'count: must be at least 1'],
  [{ count: 10 }, 'count: must be at most 9'],
  [{ amount: 0 }, 'amount: must be more than 0'],
  [{ kind: 'c' }, 'kind: must be one of a, b'],
  [{ version: 2 }, 'version: must be 1'],
  [{ list: ['a', 'b'] }, 'list: must have at most 1 entry'],
  [{ list: 'a' }, 'list: must be a list'],
  [{ url: 'x' }, 'url: must be a URL such as https://example.com'],
  [{ at: 'noon' }, 'at: must be a time such as 2026-01-31T12:00:00Z'],
  [{ name: 'a' }, 'name: does not have the expected form'],
  [{ ours: 'a' }, 'ours: must begin with x'],
  [{ flag: 'yes' }, 'flag: must be true or false'],
  [{ either: true }, 'either: is not valid'],
  [{ nested: {} }, 'nested.needed: is missing'],
  [{ nested: { needed: '' } }, 'nested.choice: must be one of a, b'],
  [{ unknown: 1 }, 'unknown: is not a known field'],
])('%j', (value, expected) => {
  const { field, message } = describeIssue(schema.safeParse(value).error as z.ZodError);
  expect(`${field}: ${message}`).toBe(expected);
});
