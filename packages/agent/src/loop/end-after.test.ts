import { expect, test } from 'vitest';
import type { Block, StopReason } from '../model/model.ts';
import { endAfter, sayAfter } from './end-after.ts';

const text: Block = { kind: 'text', text: 'words' };
const call: Block = { kind: 'tool', callId: 'a', tool: 'read_file', input: {} };
const after = (stopReason: StopReason, ...blocks: Block[]) => ({
  end: endAfter({ blocks, stopReason, cutAnswers: stopReason === 'cut' ? 1 : 0 }),
  say: sayAfter({ blocks, stopReason }),
});

test('calls speak for themselves', () => {
  expect(after('tool', text, call)).toEqual({ end: undefined, say: undefined });
  expect(after('cut', call)).toEqual({ end: undefined, say: undefined });
});

test('an answer that was cut is told so; one that paused is told nothing', () => {
  expect(after('cut', text)).toEqual({ end: undefined, say: expect.stringMatching(/cut off/) });
  expect(after('pause', text)).toEqual({ end: undefined, say: undefined });
});

test('an answer that filled all there was goes on, once there is room', () => {
  expect(after('overflow', text)).toEqual({ end: undefined, say: expect.stringMatching(/cut off/) });
  expect(after('overflow', call)).toEqual({ end: undefined, say: undefined });
});
