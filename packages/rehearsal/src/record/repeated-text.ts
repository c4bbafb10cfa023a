/** Keeps large texts small in the record, and in memory until their turn is played. */
import { z } from 'zod';
import { seenSchema } from './seen-text.ts';

/** The longest text of one `$repeat`. */
const maxLength = 64 * 1024 * 1024;

const repeatSchema = z.strictObject({
  $repeat: z
    .strictObject({ text: z.string(), times: z.int().nonnegative() })
    .refine(({ text, times }) => text.length * times <= maxLength, 'expands to more than 64 MB'),
});

export const textSchema = z.union([z.string(), repeatSchema, seenSchema]);

export type RepeatableText = z.infer<typeof textSchema>;

export function expandText(text: RepeatableText): string {
  if (typeof text === 'string') return text;
  if ('$repeat' in text) return text.$repeat.text.repeat(text.$repeat.times);
  throw new Error('$seen must be replaced first');
}

/** Expands texts anywhere in a value. */
export function expandTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandTexts);
  if (!isObject(value)) return value;
  if ('$repeat' in value) return expandText(repeatSchema.parse(value));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandTexts(item)]));
}

export function holdsValidTexts(value: unknown): boolean {
  if (!isObject(value)) return true;
  if ('$repeat' in value) return repeatSchema.safeParse(value).success;
  return Object.values(value).every(holdsValidTexts);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
