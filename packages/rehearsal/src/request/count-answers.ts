import type { Message } from './request.ts';

/** How many answers were given: where old ones were left out, the id of the last call tells its number. */
export function countAnswers(messages: Message[]): number {
  let answers = 0;
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    answers += 1;
    for (const block of content) {
      const [, number] = (block.type === 'tool_use' && /^toolu_a(\d+)_/.exec(block.id)) || [];
      if (number !== undefined) answers = Number(number);
    }
  }
  return answers;
}
