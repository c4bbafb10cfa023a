/** Lets the model quote what it has seen and the record cannot know: a token, a number, a generated name. */
import { z } from 'zod';
import { type Dialogue, resultTexts, textOf } from '../request/dialogue.ts';

export const seenSchema = z.strictObject({
  $seen: z.strictObject({
    /** A regular expression. The newest message that matches counts. */
    pattern: z.string(),
    /** The replacement, with `$&` and `$1`. The default is the match itself. */
    as: z.string().optional(),
  }),
});

type Quoted<T> = { ok: true; value: T } | { ok: false; reason: string };

/** The value with every `$seen` in it replaced. */
export function quoteSeen<T>(value: T, dialogue: Dialogue): Quoted<T> {
  const missing: string[] = [];
  const quoted = quote(value) as T;
  return missing.length === 0
    ? { ok: true, value: quoted }
    : { ok: false, reason: `nothing that the model has seen matches ${missing.join(', ')}` };

  function quote(item: unknown): unknown {
    if (Array.isArray(item)) return item.map(quote);
    if (typeof item !== 'object' || item === null) return item;
    const seen = seenSchema.safeParse(item);
    if (!seen.success)
      return Object.fromEntries(Object.entries(item).map(([key, each]) => [key, quote(each)]));
    const { pattern, as = '$&' } = seen.data.$seen;
    const found = findNewest(new RegExp(pattern, 'su'), dialogue);
    if (found === undefined) missing.push(pattern);
    return found?.replace(new RegExp(pattern, 'su'), as);
  }
}

function findNewest(pattern: RegExp, dialogue: Dialogue): string | undefined {
  for (const { role, content } of dialogue.toReversed()) {
    if (role !== 'user') continue;
    const [found] = [...resultTexts(content), textOf(content)].flatMap((text) => pattern.exec(text) ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}
