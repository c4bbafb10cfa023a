import { expect, test } from 'vitest';
import type { Block } from '../request/request.ts';
import { checkExpectation } from './check-expectation.ts';

const content: Block[] = [
  { type: 'tool_result', tool_use_id: 'a', content: 'first', is_error: true },
  { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: '3 tests passed' }] },
  { type: 'text', text: 'Two parts are left.' },
];

test('checks the last tool result and the text', () => {
  const lastToolResult = { contains: ['3 tests', 'passed'], isError: false };
  expect(checkExpectation({ lastToolResult, lastText: { contains: ['are left'] } }, content)).toBeUndefined();
  expect(checkExpectation(undefined, [])).toBeUndefined();
});

test.each([
  [
    { lastToolResult: { contains: ['failed'] } },
    'the last tool result to contain "failed", found "3 tests passed"',
  ],
  [{ lastToolResult: { isError: true } }, 'expected an error as the last tool result'],
  [{ lastText: { contains: ['none'] } }, 'the last text to contain "none", found "Two parts are left."'],
])('names an unmet expectation: %j', (expectation, reason) => {
  expect(checkExpectation(expectation, content)).toContain(reason);
});

test('reports a missing tool result', () => {
  expect(checkExpectation({ lastToolResult: {} }, [])).toContain('found none');
});
