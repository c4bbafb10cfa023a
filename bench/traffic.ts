/** The bytes sent to the model over the 20-turn episode, their stable share, and their cost. */
import { costOf } from '@fettle/agent';
import type { Event } from '@fettle/contract';
import type { RecordedRequest } from '@fettle/rehearsal';
import { ofType } from '../test/support/events.ts';

export interface Traffic {
  bytes: number;
  /** The share of the bytes that are an unchanged prefix of the next request. */
  stableShare: number;
  usd: number;
  /** The same without a cache. */
  usdWithout: number;
}

export function measureTraffic(requests: RecordedRequest[], events: Event[]): Traffic {
  const bodies = requests.map(({ body }) => withoutMarks(body));
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
  let stable = 0;
  let all = 0;
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) continue;
    all += before.length;
    stable += commonStart(before, body);
  }
  const finished = ofType(events, 'turn.finished');
  const usd = finished.reduce((sum, { model, usage }) => sum + (costOf(model, usage) ?? Number.NaN), 0);
  const usdWithout = finished.reduce((sum, { model, usage }) => {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
    const fresh = {
      ...{ inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens, outputTokens },
      ...{ cacheReadTokens: 0, cacheWriteTokens: 0 },
    };
    return sum + (costOf(model, fresh) ?? Number.NaN);
  }, 0);
  return { bytes, stableShare: stable / all, usd, usdWithout };
}

/** Without cache marks, which move, and without the brackets that close the list. */
function withoutMarks(body: unknown): string {
  const { messages, ...rest } = body as Record<string, unknown>;
  const text = (value: unknown) =>
    JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));
  return text(rest) + text(messages).replace(/\]+$/, '');
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
