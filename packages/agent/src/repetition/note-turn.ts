import type { FinishedToolPart } from '@fettle/contract';
import type { Block } from '../model/model.ts';
import type { Effect } from '../tools/tool.ts';
import type { NotedTurn } from './noted-turn.ts';

type Finished = {
  part: Pick<FinishedToolPart, 'tool' | 'input'>;
  result: Pick<FinishedToolPart, 'output' | 'status' | 'changed'>;
};

/** A turn as the watch wants to see it, whether it just happened or is on record. */
export function noteTurn(
  turn: number,
  blocks: Block[],
  finished: Finished[],
  tools: { name: string; effect: Effect }[],
): NotedTurn {
  return {
    turn,
    texts: blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])),
    calls: finished.map(({ part: { tool, input }, result: { output, status, changed } }) => {
      const effect = tools.find(({ name }) => name === tool)?.effect ?? 'reads';
      return { tool, input, effect, output, status, changed };
    }),
  };
}
