/** Cases of `test/corpora/`, one a line, each with a number of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const corpora = join(import.meta.dirname, '../../../../test/corpora');

const decisions = z.enum(['allow', 'approve', 'deny']);
export const pathCaseSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  op: z.enum(['read', 'write', 'delete']),
  expect: decisions,
  rule: z.string().optional(),
  why: z.string(),
});

/** Bytes that no text holds, or that would be too many for a line of the corpus, are made here. */
const bytesSchema = z.union([
  z.string().transform((text) => Buffer.from(text)),
  z.strictObject({ hex: z.string() }).transform(({ hex }) => Buffer.from(hex, 'hex')),
  z
    .strictObject({ repeat: z.tuple([z.string(), z.int()]) })
    .transform(({ repeat: [text, count] }) => Buffer.from(text.repeat(count))),
]);
export const contentCaseSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  expect: decisions,
  rule: z.string().optional(),
  why: z.string(),
  before: bytesSchema.optional(),
  content: bytesSchema,
});

export function readCorpus<Case>(file: string, schema: z.ZodType<Case>): Case[] {
  const lines = readFileSync(join(corpora, file), 'utf8').trimEnd().split('\n');
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
