/** The turns of one attempt: each round goes on with the same conversation, the first one where an earlier attempt left off. */
import {
  createLoopWatch,
  type LoopVerdict,
  type LoopWatch,
  lastWordsOf,
  noteTurn,
  runTurns,
  startConversation,
  systemPrompt,
  type Tool,
  type TurnOptions,
  type TurnsEnd,
  type TurnsStart,
} from '@fettle/agent';
import type { Work } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { CommonOptions } from './turn-options.ts';

export type Turns = (told: string | undefined, round: number) => Promise<TurnsEnd>;

export type TurnsSettings = Pick<TurnOptions, 'tools' | 'withheld'> &
  Partial<Pick<TurnOptions, 'shouldYield'>>;

export function createTurns(
  work: Work,
  common: CommonOptions,
  earlier: Earlier | undefined,
  settings: TurnsSettings,
): Turns {
  const { takeMessages } = work;
  const { kind } = work.claim.operation.request;
  const { tools } = settings;
  const conversation = { ...(earlier?.conversation ?? startConversation()), totals: work.totals };
  const loops = createLoopWatch({ tools, threshold: work.config.loopThreshold });
  const verdict = earlier && replayLoops(loops, tools, earlier);
  const mine = { ...common, ...settings, system: systemPrompt(kind), conversation, loops, takeMessages };
  let unfinished = earlier;
  return async (told, round) => {
    const end = await runRound(told, round);
    return end.kind === 'stopped' ? { ...end, lastWords: lastWordsOf(conversation) } : end;
  };

  async function runRound(told: string | undefined, round: number): Promise<TurnsEnd> {
    const isNew = unfinished === undefined;
    const start = unfinished && unfinished.round > 0 ? await goOn(work, unfinished) : { told };
    unfinished = undefined;
    if ('kind' in start && (start.kind !== 'done' || (await takeMessages()).length === 0)) return start;
    // An agent that was done hears what people said since.
    const begin = 'kind' in start ? {} : { ...start, ...(!isNew && { verdict }) };
    return runTurns(begin, { ...mine, round });
  }
}

/** Brings the watch to where it was, and gives what the last turn led to, if the model has not heard of it. */
function replayLoops(loops: LoopWatch, tools: Tool[], { noted }: Earlier): LoopVerdict | undefined {
  let verdict: LoopVerdict | undefined;
  for (const { number, blocks, finished, isFollowed } of noted) {
    const calls = finished.map((part) => ({ part, result: part }));
    const found = loops.noteTurn(noteTurn(number, blocks, calls, tools));
    verdict = isFollowed ? undefined : found;
  }
  return verdict;
}

type Unfinished = Pick<Earlier, 'start' | 'end' | 'interrupted'>;

/** The round of an earlier attempt: what was cut off in it is on record as that before anything new happens. */
export async function goOn(work: Work, earlier: Unfinished): Promise<TurnsStart | TurnsEnd> {
  await recordInterrupted(work, earlier);
  return earlier.end ?? earlier.start;
}

export async function recordInterrupted(work: Work, { interrupted }: Pick<Unfinished, 'interrupted'>) {
  if (interrupted.length > 0)
    await work.record(...interrupted.map((part) => ({ type: 'part.finished' as const, part })));
}
