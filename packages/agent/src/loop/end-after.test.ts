import { expect, test } from 'vitest';
import type { Block, StopReason } from '../model/model.ts';
import { continuationFor, endAfter } from './end-after.ts';

const text: Block = { kind: 'text', text: 'some text' };
const call: Block = { kind: 'tool', callId: 'a', tool: 'read_file', input: {} };
const after = (stopReason: StopReason, ...blocks: Block[]) => ({
  end: endAfter({ blocks, stopReason, cutAnswers: stopReason === 'cut' ? 1 : 0 }),
  message: continuationFor({ blocks, stopReason }),
});

test('calls need no message: their results continue the conversation', () => {
  expect(after('tool', text, call)).toEqual({ end: undefined, message: undefined });
  expect(after('cut', call)).toEqual({ end: undefined, message: undefined });
});

test('a cut answer gets a message, a paused one does not', () => {
  expect(after('cut', text)).toEqual({ end: undefined, message: expect.stringMatching(/cut off/) });
  expect(after('pause', text)).toEqual({ end: undefined, message: undefined });
});

test('an answer that filled the context window continues after a compaction', () => {
  expect(after('overflow', text)).toEqual({ end: undefined, message: expect.stringMatching(/cut off/) });
  expect(after('overflow', call)).toEqual({ end: undefined, message: undefined });
});
