/** Cases from `test/corpora/`, one per line, each with an id. */
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

/** Builds bytes that a text cannot hold, or that are too long for a line of the corpus. */
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
