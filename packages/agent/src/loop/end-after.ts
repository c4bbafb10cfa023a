/** Decides whether an answer ends the round, for a new answer and for a recorded one alike. */
import type { Block, StopReason } from '../model/model.ts';
import type { TurnsEnd } from './turn-options.ts';

const maxCutAnswers = 3;

const continueInPieces =
  'Your answer was cut off at the length limit of one answer. Continue from there, in smaller pieces.';

export interface LastAnswer {
  blocks: Block[];
  stopReason: StopReason;
  /** How many answers in a row were cut off, including this one. */
  cutAnswers: number;
}

export function endAfter({ blocks, stopReason, cutAnswers }: LastAnswer): TurnsEnd | undefined {
  if (stopReason === 'refusal')
    return { kind: 'stopped', reason: 'model_refused', message: textOf(blocks) || 'no reason given' };
  if (cutAnswers >= maxCutAnswers) {
    const message = `${cutAnswers} answers in a row reached the length limit of one answer`;
    return { kind: 'stopped', reason: 'model_cut_short', message };
  }
  const hasCalls = blocks.some(({ kind }) => kind === 'tool');
  const continues = hasCalls || isCut(stopReason) || stopReason === 'pause';
  return continues ? undefined : { kind: 'done', text: textOf(blocks) };
}

/** Whether the answer is incomplete: it reached its length limit or the end of the context window. */
export function isCut(stopReason: StopReason): boolean {
  return stopReason === 'cut' || stopReason === 'overflow';
}

/** The user message that makes the model continue. After calls their results do, and a pause needs no message. */
export function continuationFor({ blocks, stopReason }: Pick<LastAnswer, 'blocks' | 'stopReason'>) {
  const hasCalls = blocks.some(({ kind }) => kind === 'tool');
  return hasCalls || stopReason === 'pause' ? undefined : continueInPieces;
}

function textOf(blocks: Block[]): string {
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  return texts.join('\n\n').trim();
}
