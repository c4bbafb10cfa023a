/** Splits a prompt into its blocks, in the order in which it is cached: tools, system, messages. */
import type { CacheControl, CountRequest } from './request.ts';

export type Ttl = '5m' | '1h';
export type Segment = { block: object; marks: Ttl[] };

type Markable = { type?: unknown; cache_control?: CacheControl; content?: unknown };

export function promptSegments(request: CountRequest): Segment[] {
  const { tools = [], system = [], messages } = request;
  const said = messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })));
  const segments = [...tools, ...system, ...said].map((block) => ({ block, marks: marksOf(block) }));
  // A mark on the request itself stands for one on its last block.
  if (request.cache_control) segments.at(-1)?.marks.push(ttlOf(request.cache_control));
  return segments;
}

/** Marks move from turn to turn and are not part of the cached text. */
export function segmentText({ block }: Segment): string {
  return JSON.stringify(block, (key, value) => (key === 'cache_control' ? undefined : value));
}

function marksOf(block: Markable): Ttl[] {
  const inner = Array.isArray(block.content) ? block.content.flatMap(marksOf) : [];
  return block.cache_control ? [...inner, ttlOf(block.cache_control)] : inner;
}

function ttlOf(mark: NonNullable<CacheControl>): Ttl {
  return mark.ttl ?? '5m';
}
