/** How the cost of a turn grows with the conversation, over operations of 10, 100 and 500 turns. */
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';
import type { Platform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { pauses, programsByTurn } from './harness-time.ts';
import { median } from './statistics.ts';

export const lengths = [10, 100, 500];

const long = (turns: number): Conversation =>
  conversation(
    `growth ${turns}`,
    [
      ...Array.from({ length: turns - 1 }, (_, n) =>
        turn(call('run_command', { command: `cat src/module${n % 200}.ts; echo ${n}` })),
      ),
      turn(say('Nothing to change')),
    ],
    {
      match: `growth of ${turns} turns`,
      asides: [{ match: 'is about to be shortened', turn: turn(say('## Goal')) }],
    },
  );

const lastTurns = 10;

export const growing = lengths.map(long);

export interface Growth {
  turns: number;
  /** The median of the last ten turns. */
  harnessMs: number;
  bytesEach: number;
}

export async function measureGrowth(platform: Platform, repository: TestRepository): Promise<Growth[]> {
  const grown: Growth[] = [];
  for (const turns of lengths) {
    const { operation, events } = await platform.run({
      ...{ kind: 'fix', description: `growth of ${turns} turns`, repository: repository.path },
      budgets: { parts: 5_000, turns: 5_000, tokens: 1_000_000_000, usd: 10_000 },
    });
    if (operation.totals.turns !== turns) throw new Error(`it had ${operation.totals.turns} turns`);
    // The journal keeps only the newest requests of a long conversation.
    const requests = platform.rehearsal.requests().slice(-lastTurns);
    const harnessMs = median(pauses(requests, programsByTurn(events).slice(turns - lastTurns)));
    grown.push({ turns, harnessMs, bytesEach: median(requests.map((request) => request.bytes)) });
  }
  return grown;
}
