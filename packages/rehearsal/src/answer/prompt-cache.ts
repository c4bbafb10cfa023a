/**
 * Simulates prompt caching well enough to see whether an agent's cache marks work. It has no expiry and no minimum size,
 * but like the real cache it looks back only twenty blocks.
 */
import { createHash } from 'node:crypto';
import { promptSegments, segmentText, type Ttl } from '../request/cache-marks.ts';
import type { CountRequest } from '../request/request.ts';

const lookBackBlocks = 20;
const maxEntries = 10_000;

export type InputUsage = { fresh: number; read: number; written5m: number; written1h: number };
export type PromptCache = { use(request: CountRequest): InputUsage };

type Prefix = { hash: string; tokens: number; marks: Ttl[] };

export function createPromptCache(): PromptCache {
  const known = new Set<string>();
  return {
    use(request) {
      const prefixes = hashPrefixes(request);
      const marks = prefixes.flatMap((prefix, index) => (prefix.marks.length > 0 ? [index] : []));
      const hit = prefixes.findLastIndex(({ hash }, index) => inReach(marks, index) && known.has(hash));
      for (const { hash, marks } of prefixes) if (marks.length > 0) remember(known, hash);
      return splitTokens(prefixes, hit);
    },
  };
}

function hashPrefixes(request: CountRequest): Prefix[] {
  const hash = createHash('sha256').update(request.model);
  return promptSegments(request).map((segment) => {
    const text = segmentText(segment);
    hash.update(`\0${text}`);
    return { hash: hash.copy().digest('base64'), tokens: estimateTokens(text), marks: segment.marks };
  });
}

function inReach(marks: number[], index: number): boolean {
  return marks.some((mark) => index <= mark && mark - index < lookBackBlocks);
}

function remember(known: Set<string>, hash: string): void {
  known.add(hash);
  const [oldest] = known;
  if (known.size > maxEntries && oldest !== undefined) known.delete(oldest);
}

function splitTokens(prefixes: Prefix[], hit: number): InputUsage {
  const lastHour = prefixes.findLastIndex(({ marks }) => marks.includes('1h'));
  const lastMark = prefixes.findLastIndex(({ marks }) => marks.length > 0);
  const usage: InputUsage = { fresh: 0, read: 0, written5m: 0, written1h: 0 };
  for (const [index, { tokens }] of prefixes.entries()) {
    if (index <= hit) usage.read += tokens;
    else if (index <= lastHour) usage.written1h += tokens;
    else if (index <= lastMark) usage.written5m += tokens;
    else usage.fresh += tokens;
  }
  return usage;
}

/** A rule of thumb: four characters per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
