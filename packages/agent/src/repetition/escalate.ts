/** Escalates from a message to withholding a tool to the end of the operation. Progress de-escalates. */
import type { Effect } from '../tools/tool.ts';
import { endMessage, lastWarning, warning, withholdMessage } from './messages.ts';
import type { Repetition } from './turn-description.ts';

export type RepetitionVerdict =
  | { step: 'nudge'; message: string }
  | { step: 'withhold'; tools: string[]; turns: number; message: string }
  | { step: 'end'; reason: 'loop'; message: string };

export interface EscalationOptions {
  threshold: number;
  tools: { name: string; effect: Effect }[];
}

export function createEscalation({ threshold, tools: known }: EscalationOptions) {
  let level = 0;
  let nudges = 0;
  let lastKey: string | undefined;
  /** The total over all steps: after each step the detectors start to count anew. */
  let times = 0;

  function stepUp(repetition: Repetition): RepetitionVerdict {
    const continues = repetition.key === lastKey || nudges >= threshold;
    times = repetition.key === lastKey ? times + repetition.times : repetition.times;
    lastKey = repetition.key;
    if (level === 0 || (level === 1 && !continues)) {
      level = 1;
      nudges++;
      return { step: 'nudge', message: warning(repetition) };
    }
    if (level >= 2) return { step: 'end', reason: 'loop', message: endMessage({ ...repetition, times }) };
    level = 2;
    const tools = withholdable(repetition.tools, known);
    if (tools.length === 0) return { step: 'nudge', message: lastWarning(repetition) };
    const message = withholdMessage(repetition, tools, threshold);
    return { step: 'withhold', tools, turns: threshold, message };
  }

  return {
    stepUp,
    /** The repetition of the last warning. */
    lastKey: () => lastKey,
    stepDown() {
      level = Math.max(0, level - 1);
      if (level > 0) return;
      nudges = 0;
      lastKey = undefined;
    },
  };
}

/** A tool that reads is withheld only if another one that reads remains. */
function withholdable(names: string[], known: EscalationOptions['tools']): string[] {
  const tools = known.filter(({ name }) => names.includes(name));
  const canStillRead = known.some(({ name, effect }) => effect === 'reads' && !names.includes(name));
  return tools.filter(({ effect }) => canStillRead || effect !== 'reads').map(({ name }) => name);
}
