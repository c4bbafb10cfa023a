import type { Message, State } from '@fettle/contract';
import { expect, test } from 'vitest';
import { describeMessage } from './describe-message.ts';
import { renderLine } from './line.ts';
import { showClock } from './text/local-time.ts';

const said: Message = {
  ...{ number: 1, by: 'Ana', text: 'keep it short', saidAt: '2026-11-17T10:00:00.000Z' },
  ...{ seenAt: null, seenInTurn: null },
};
const seen = { ...said, seenAt: '2026-11-17T10:00:05.000Z', seenInTurn: 3 };

test.each<[string, Message, State]>([
  ['not seen yet', said, 'paused'],
  [`seen at ${showClock('2026-11-17T10:00:05.000Z')}, in turn 3`, seen, 'acting'],
  [`seen at ${showClock('2026-11-17T10:00:05.000Z')}, in turn 3`, seen, 'cancelled'],
  // After a draft or a cancellation the agent sees no more messages.
  ['never seen: the operation ended first', said, 'awaiting_approval'],
  ['never seen: the operation ended first', said, 'cancelled'],
])('%s', (seenText, message, state) => {
  const lines = describeMessage(message, { state, width: 80 });
  const shown = lines.map((line) => renderLine(line, { width: 80, color: false }));
  expect(shown).toEqual([
    '  » Ana: keep it short  (message 1)',
    `    sent at ${showClock('2026-11-17T10:00:00.000Z')}, ${seenText}`,
  ]);
});
