import { expect, test } from 'vitest';
import type { Dialogue } from '../request/dialogue.ts';
import { quoteSeen } from './seen-text.ts';

const dialogue: Dialogue = [
  { role: 'user', content: [{ type: 'text', text: 'number 1' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'number 9' }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'number 2, number 3' }] },
];

test('the newest match is quoted, from any message to the model', () => {
  const input = {
    a: [{ $seen: { pattern: 'number (\\d)', as: '<$1>' } }],
    b: { $seen: { pattern: '1$' } },
    c: 4,
  };
  expect(quoteSeen(input, dialogue)).toEqual({ ok: true, value: { a: ['<2>'], b: '1', c: 4 } });
});

test('a text that the model has not seen cannot be quoted', () => {
  expect(quoteSeen({ a: { $seen: { pattern: '9' } } }, dialogue)).toEqual({
    ok: false,
    reason: 'nothing that the model has seen matches 9',
  });
});
