import { expect, test } from 'vitest';
import type { Message } from '../model/model.ts';
import { callOf, say } from '../testing/stage.ts';
import { replaceBySummary } from './shorten.ts';

const result = { kind: 'result' as const, callId: 'c1', output: 'old', isError: false };
const text = (words: string) => ({ kind: 'text' as const, text: words });
const messages: Message[] = [
  { role: 'user', items: [text('the request'), text('an older summary')] },
  { role: 'assistant', turn: 1, blocks: [callOf('c1', 'read_file', {})] },
  { role: 'user', items: [result, text('the last user message')] },
  { role: 'assistant', turn: 2, blocks: [say('Understood.')] },
];

test('the summary follows the request, and the user message of the first kept turn follows the summary', () => {
  expect(replaceBySummary(messages, 2, 'the summary')).toEqual([
    {
      role: 'user',
      items: [text('the request'), text('the summary'), text('the last user message')],
    },
    messages[3],
  ]);
});
