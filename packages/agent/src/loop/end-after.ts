/** Whether an answer ends the round. The same question is asked of a fresh answer and of one on record. */
import type { Block, StopReason } from '../model/model.ts';
import type { TurnsEnd } from './run-turns.ts';

const maxCutAnswers = 3;

const goOn = 'Your answer was cut off at the limit of one answer. Go on from there, in smaller pieces.';

export interface LastAnswer {
  blocks: Block[];
  stopReason: StopReason;
  /** How many answers in a row were cut off, this one included. */
  cutAnswers: number;
}

export function endAfter({ blocks, stopReason, cutAnswers }: LastAnswer): TurnsEnd | undefined {
  if (stopReason === 'refusal')
    return { kind: 'stopped', reason: 'model_refused', message: textOf(blocks) || 'no reason given' };
  if (cutAnswers >= maxCutAnswers) {
    const message = `${cutAnswers} answers in a row reached the limit of one answer`;
    return { kind: 'stopped', reason: 'model_cut_short', message };
  }
  const hasCalls = blocks.some(({ kind }) => kind === 'tool');
  const goesOn = hasCalls || isCut(stopReason) || stopReason === 'pause';
  return goesOn ? undefined : { kind: 'done', text: textOf(blocks) };
}

/** An answer that is not whole, for want of room in it or around it. */
export function isCut(stopReason: StopReason): boolean {
  return stopReason === 'cut' || stopReason === 'overflow';
}

/** What has to be said so that the model goes on; results speak for themselves, and a pause needs no words. */
export function sayAfter({ blocks, stopReason }: Pick<LastAnswer, 'blocks' | 'stopReason'>) {
  const hasCalls = blocks.some(({ kind }) => kind === 'tool');
  return hasCalls || stopReason === 'pause' ? undefined : goOn;
}

function textOf(blocks: Block[]): string {
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  return texts.join('\n\n').trim();
}
