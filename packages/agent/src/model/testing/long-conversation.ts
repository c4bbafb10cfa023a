/** A conversation with every kind of answer, run by the real loop over HTTP. */

import { call, conversation, type Rehearsal, say, stopped, think, turn } from '@fettle/rehearsal';
import { z } from 'zod';
import { runTurns } from '../../loop/run-turns.ts';
import { prepareTurns } from '../../testing/stage.ts';
import { defineTool, ToolFailure } from '../../tools/tool.ts';
import type { Model } from '../model.ts';

const look = (path: string) => call('look', { path });

export const longConversation = conversation('long', [
  turn(think('Where is it?'), say('I look.'), look('a')),
  turn(think('Both.'), look('b'), call('look', { path: 'missing' }), call('fly', {}), look('c')),
  stopped('max_tokens', say('This is a long')),
  stopped('max_tokens', think('Again.'), { type: 'tool_use', name: 'look', rawInput: '{"path": "unfin' }),
  turn({ type: 'redacted_thinking', data: 'c2VjcmV0' }, look('d')),
  stopped('pause_turn', think('A while.'), say('I will go on')),
  turn(say('and I do.'), look('e')),
  stopped('max_tokens'),
  ...Array.from({ length: 11 }, (_, index) =>
    turn(think(`Step ${index}.`), say(`Now ${index}.`), look(`f${index}`), call('look', { file: index })),
  ),
  turn(think('That is all.'), say('Done.')),
  turn(say('Mended.')),
]);

const lookTool = defineTool({
  name: 'look',
  description: 'Looks at a file.',
  effect: 'reads',
  paths: ({ path }) => [{ path, access: 'read' }],
  input: z.object({ path: z.string() }),
  async run({ path }) {
    if (path === 'missing') throw new ToolFailure('There is no file missing.');
    return { output: `the content of ${path}` };
  },
});
const waitTool = defineTool({ ...lookTool, name: 'wait', description: 'Waits.' });

/** Two rounds, as when the checks of the repository fail after the first. */
export async function converse(model: Model) {
  const { options, events } = prepareTurns(model, {
    system: 'You fix things.',
    tools: [lookTool, waitTool],
    window: { tokens: model.contextTokens, compactAt: 0.85, keepTokens: 40_000 },
  });
  const ends = [
    await runTurns({ userMessage: 'Mend it.' }, { ...options, round: 1 }),
    await runTurns({ userMessage: 'The test fails.' }, { ...options, round: 2 }),
  ];
  // Serialised, as events are when they come back from the database.
  const recorded: typeof events = JSON.parse(JSON.stringify(events));
  return { ends, events: recorded, messages: options.conversation.messages };
}

/** The request bodies in order. */
export function sentBodies(rehearsal: Rehearsal): Record<string, unknown>[] {
  return rehearsal.requests().map(({ body }) => body as Record<string, unknown>);
}

/** The indexes of the requests that do not extend the previous one. Cache marks are ignored. */
export function findBreaks(bodies: Record<string, unknown>[]): number[] {
  const texts = bodies.map(({ messages, ...rest }) => {
    const all = withoutMarks(messages);
    return { rest: withoutMarks(rest), open: all.slice(0, -1), all };
  });
  return texts.flatMap(({ rest, all }, index) => {
    const before = texts[index - 1];
    return !before || (rest === before.rest && all.startsWith(before.open) && all !== before.all)
      ? []
      : [index];
  });
}

function withoutMarks(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));
}
