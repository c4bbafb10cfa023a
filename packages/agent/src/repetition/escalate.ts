/** From a finding to what is done about it: told first, then a tool withheld, then the end. Progress goes back down. */
import type { Effect } from '../tools/tool.ts';
import type { Finding } from './marks.ts';
import { endFor, lastNudgeFor, nudgeFor, withholdingFor } from './messages.ts';
import type { LoopVerdict } from './noted-turn.ts';

export interface LadderOptions {
  threshold: number;
  tools: { name: string; effect: Effect }[];
}

export function createLadder({ threshold, tools: known }: LadderOptions) {
  let level = 0;
  let nudges = 0;
  let lastKey: string | undefined;
  /** Over all steps: after each of them the repetitions are counted anew. */
  let times = 0;

  function climb(finding: Finding): LoopVerdict {
    const goesOn = finding.key === lastKey || nudges >= threshold;
    times = finding.key === lastKey ? times + finding.times : finding.times;
    lastKey = finding.key;
    if (level === 0 || (level === 1 && !goesOn)) {
      level = 1;
      nudges++;
      return { step: 'nudge', message: nudgeFor(finding) };
    }
    if (level >= 2) return { step: 'end', reason: 'loop', message: endFor({ ...finding, times }) };
    level = 2;
    const tools = withholdable(finding.tools, known);
    if (tools.length === 0) return { step: 'nudge', message: lastNudgeFor(finding) };
    const message = withholdingFor(finding, tools, threshold);
    return { step: 'withhold', tools, turns: threshold, message };
  }

  return {
    climb,
    /** The loop that the model was told of last; it has had its first warning. */
    toldOf: () => lastKey,
    stepDown() {
      level = Math.max(0, level - 1);
      if (level > 0) return;
      nudges = 0;
      lastKey = undefined;
    },
  };
}

/** A tool that reads is withheld only where another one is left to read with. */
function withholdable(names: string[], known: LadderOptions['tools']): string[] {
  const tools = known.filter(({ name }) => names.includes(name));
  const canStillRead = known.some(({ name, effect }) => effect === 'reads' && !names.includes(name));
  return tools.filter(({ effect }) => canStillRead || effect !== 'reads').map(({ name }) => name);
}
