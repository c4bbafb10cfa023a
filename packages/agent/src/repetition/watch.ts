/** Detects when the agent repeats itself. Its state depends only on the observed turns, so a replay restores it. */
import type { Hooks, Objection, ParsedCall } from '../calls/hooks.ts';
import type { Effect } from '../tools/tool.ts';
import { createTurnDescriber } from './describe-turn.ts';
import { findAlikeCalls } from './detectors/alike-calls.ts';
import { findAlternation } from './detectors/alternation.ts';
import { findNoProgress } from './detectors/no-progress.ts';
import { findRepeatedText } from './detectors/repeated-text.ts';
import { findSameCall } from './detectors/same-call.ts';
import { findUndoingEdits } from './detectors/undoing-edits.ts';
import { createEscalation, type RepetitionVerdict } from './escalate.ts';
import { defaultLoopThreshold, maxThreshold, windowFor } from './limits.ts';
import type { ObservedTurn } from './observed-turn.ts';
import type { Repetition, TurnDescription } from './turn-description.ts';

export interface RepetitionWatchOptions {
  /** How often something may repeat. */
  threshold?: number;
  /** All tools of the agent, to know which remain when some are withheld. */
  tools: { name: string; effect: Effect }[];
}

export interface RepetitionWatch {
  /** Called once for each turn, when its calls are finished. */
  observe(turn: ObservedTurn): RepetitionVerdict | undefined;
  /** The tools that are withheld in a turn. */
  withheld(turn: number): Set<string>;
}

/** The most specific first: alternating calls, for example, are also repeated calls. */
const detectors = [
  findUndoingEdits,
  findAlternation,
  findSameCall,
  findAlikeCalls,
  findRepeatedText,
  findNoProgress,
];

export function createRepetitionWatch(options: RepetitionWatchOptions): RepetitionWatch {
  const threshold = Math.min(Math.max(2, options.threshold ?? defaultLoopThreshold), maxThreshold);
  const escalation = createEscalation({ threshold, tools: options.tools });
  const describeTurn = createTurnDescriber();
  const withheldUntil = new Map<string, number>();
  let turns: TurnDescription[] = [];
  let number = 0;
  let end: RepetitionVerdict | undefined;

  const withheld = (turn: number) =>
    new Set([...withheldUntil].flatMap(([tool, last]) => (turn <= last ? [tool] : [])));

  return {
    observe(observed) {
      number = observed.turn ?? number + 1;
      const description = describeTurn(observed, withheld(number));
      turns.push(description);
      if (turns.length > windowFor(threshold)) turns.shift();
      if (end) return end;

      const repetition =
        findAll(turns, threshold)[0] ?? findContinued(turns, threshold, escalation.lastKey());
      if (!repetition) {
        if (description.progress) escalation.stepDown();
        return undefined;
      }
      // Start counting anew, so that the model has a chance to react before the next verdict.
      turns = [];
      const verdict = escalation.stepUp(repetition);
      if (verdict.step === 'end') end = verdict;
      if (verdict.step === 'withhold')
        for (const tool of verdict.tools) withheldUntil.set(tool, number + verdict.turns);
      return verdict;
    },
    withheld,
  };
}

function findAll(turns: TurnDescription[], threshold: number): Repetition[] {
  return detectors.flatMap((detect) => detect(turns, threshold) ?? []);
}

/** After the model was warned of a repetition, one repetition less counts as the same one continuing. */
function findContinued(
  turns: TurnDescription[],
  threshold: number,
  lastKey: string | undefined,
): Repetition | undefined {
  if (lastKey === undefined || threshold < 3) return undefined;
  return findAll(turns, threshold - 1).find(({ key }) => key === lastKey);
}

/** Blocks the calls of withheld tools. The list of tools itself stays unchanged to keep the service's prompt cache valid. */
export function blockWithheld(hooks: Hooks, watch: RepetitionWatch | undefined, turn: () => number): Hooks {
  if (watch === undefined) return hooks;
  const block = ({ tool }: ParsedCall): Objection | undefined =>
    watch.withheld(turn()).has(tool.name)
      ? {
          kind: 'block',
          reason: `${tool.name} is withheld for some turns because its calls were repetitive.`,
        }
      : undefined;
  return { ...hooks, afterPolicy: [...hooks.afterPolicy, block] };
}
