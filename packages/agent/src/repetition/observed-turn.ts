import type { FinishedToolPart } from '@fettle/contract';
import type { Block } from '../model/model.ts';
import type { Effect } from '../tools/tool.ts';

/** A finished call. It holds only recorded values, so that replaying the record leads to the same verdicts. */
export interface ObservedCall
  extends Pick<FinishedToolPart, 'tool' | 'input' | 'output' | 'status' | 'changed'> {
  effect: Effect;
}

export interface ObservedTurn {
  /** Defaults to the number after the previous turn. */
  turn?: number;
  texts: string[];
  calls: ObservedCall[];
}

type Finished = {
  part: Pick<FinishedToolPart, 'tool' | 'input'>;
  result: Pick<FinishedToolPart, 'output' | 'status' | 'changed'>;
};

/** The input of the repetition watch, for a turn that just happened or a recorded one. */
export function observeTurn(
  turn: number,
  blocks: Block[],
  finished: Finished[],
  tools: { name: string; effect: Effect }[],
): ObservedTurn {
  return {
    turn,
    texts: blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])),
    calls: finished.map(({ part: { tool, input }, result: { output, status, changed } }) => {
      const effect = tools.find(({ name }) => name === tool)?.effect ?? 'reads';
      return { tool, input, effect, output, status, changed };
    }),
  };
}
