/** The time from the end of an answer to the next request, without the time of programs. */
import type { Event } from '@fettle/contract';
import type { RecordedRequest } from '@fettle/rehearsal';
import { proposalOf } from '../test/support/events.ts';
import type { Platform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { runPlainLoop } from './plain-loop.ts';

/** One value per pause between two turns. */
export function pauses(requests: RecordedRequest[], programMs: number[]): number[] {
  return requests.slice(1).map((request, index) => {
    const answeredAt = requests[index]?.answeredAtMs ?? Number.NaN;
    return Math.max(0, request.receivedAtMs - answeredAt - (programMs[index] ?? 0));
  });
}

export function programsByTurn(events: Event[]): number[] {
  const sums: number[] = [];
  for (const event of events) {
    if (event.type !== 'part.finished' || event.part.kind !== 'tool') continue;
    const index = event.part.turn - 1;
    sums[index] = (sums[index] ?? 0) + event.part.programMs;
  }
  return sums;
}

export async function measureHarness(
  platform: Platform,
  repository: TestRepository,
): Promise<{ fettle: number[]; plain: number[] }> {
  const { rehearsal } = platform;
  const since = rehearsal.requests().length;
  const { operation, events } = await platform.run(repository.request('implement', 'episode'));
  proposalOf(operation);
  const fettle = pauses(rehearsal.requests().slice(since), programsByTurn(events));

  const sincePlain = rehearsal.requests().length;
  const programMs = await runPlainLoop(repository.path, rehearsal.url);
  repository.git('checkout', '-q', '.');
  return { fettle, plain: pauses(rehearsal.requests().slice(sincePlain), programMs) };
}
