/** Notices when the agent goes round in circles. Its state follows from what is noted and from nothing else. */
import type { Effect } from '../tools/tool.ts';
import { createMarker } from './describe-turn.ts';
import { createLadder } from './escalate.ts';
import { findLoops } from './find-loop.ts';
import { defaultLoopThreshold, maxThreshold, windowFor } from './limits.ts';
import type { Finding, TurnMark } from './marks.ts';
import type { LoopVerdict, NotedTurn } from './noted-turn.ts';

export interface LoopWatchOptions {
  /** How often something may repeat. */
  threshold?: number;
  /** What the agent has, to know what would be left of it. */
  tools: { name: string; effect: Effect }[];
}

export interface LoopWatch {
  /** Called once for each turn, when its calls are finished. */
  noteTurn(turn: NotedTurn): LoopVerdict | undefined;
  /** The tools that the model does not get in that turn. */
  withheld(turn: number): Set<string>;
}

export function createLoopWatch(options: LoopWatchOptions): LoopWatch {
  const threshold = Math.min(Math.max(2, options.threshold ?? defaultLoopThreshold), maxThreshold);
  const ladder = createLadder({ threshold, tools: options.tools });
  const markTurn = createMarker();
  const withheldUntil = new Map<string, number>();
  let turns: TurnMark[] = [];
  let number = 0;
  let end: LoopVerdict | undefined;

  const withheld = (turn: number) =>
    new Set([...withheldUntil].flatMap(([tool, last]) => (turn <= last ? [tool] : [])));

  return {
    noteTurn(noted) {
      number = noted.turn ?? number + 1;
      const mark = markTurn(noted, withheld(number));
      turns.push(mark);
      if (turns.length > windowFor(threshold)) turns.shift();
      if (end) return end;

      const finding = findLoops(turns, threshold)[0] ?? findGoingOn(turns, threshold, ladder.toldOf());
      if (!finding) {
        if (mark.progress) ladder.stepDown();
        return undefined;
      }
      // What led to a verdict does not lead to the next one: the model has to have had a chance.
      turns = [];
      const verdict = ladder.climb(finding);
      if (verdict.step === 'end') end = verdict;
      if (verdict.step === 'withhold')
        for (const tool of verdict.tools) withheldUntil.set(tool, number + verdict.turns);
      return verdict;
    },
    withheld,
  };
}

/** A loop that the model was told of needs one repetition less to be the same loop again. */
function findGoingOn(turns: TurnMark[], threshold: number, toldOf: string | undefined): Finding | undefined {
  if (toldOf === undefined || threshold < 3) return undefined;
  return findLoops(turns, threshold - 1).find(({ key }) => key === toldOf);
}
