/** The time to compact a conversation of 500 parts, without the model. */
import { resume } from '@fettle/agent';
import type { Event, EventBody } from '@fettle/contract';
import { median } from './statistics.ts';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const output = 'one line of a file that was read\n'.repeat(60);

function record(parts: number, isCompacted: boolean): Event[] {
  const bodies: EventBody[] = [];
  for (let n = 1; n <= parts; n++) {
    const part = {
      number: n,
      turn: n,
      kind: 'tool' as const,
      callId: `c${n}`,
      tool: 'read_file',
      input: { path: `f${n}` },
    };
    const totals = { parts: n, turns: n, tokens: n, usd: 0 };
    bodies.push({ type: 'turn.started', turn: n, round: 1, ...(n === 1 && { told: 'the request' }) });
    bodies.push({ type: 'part.started', part });
    bodies.push({
      type: 'turn.finished',
      turn: n,
      model: 'm',
      stopReason: 'tool',
      usage,
      totals,
      durationMs: 1,
    });
    const result = { status: 'ok' as const, output, durationMs: 1, programMs: 0, changed: [] };
    bodies.push({ type: 'part.finished', part: { ...part, ...result } });
  }
  const totals = { parts, turns: parts, tokens: parts, usd: 0 };
  const place = { turn: parts + 1, keptFrom: parts - 20, tokensBefore: 1, tokensAfter: 1, totals };
  if (isCompacted) bodies.push({ type: 'conversation.compacted', way: 'results', ...place });
  return bodies.map((body, index) => ({ ...body, operationId: 'op', position: index + 1, at: '' }));
}

/** Milliseconds to rebuild a conversation from its record, and the additional time to leave out old results. */
export function measureCompaction(parts: number): { rebuildMs: number; compactMs: number } {
  const time = (events: Event[]) => {
    const startedAt = performance.now();
    resume(events);
    return performance.now() - startedAt;
  };
  const [plain, compacted] = [record(parts, false), record(parts, true)];
  const rounds = Array.from({ length: 40 }, () => ({ plain: time(plain), compacted: time(compacted) })).slice(
    10,
  );
  const rebuildMs = median(rounds.map((round) => round.plain));
  return { rebuildMs, compactMs: Math.max(0, median(rounds.map((round) => round.compacted)) - rebuildMs) };
}
