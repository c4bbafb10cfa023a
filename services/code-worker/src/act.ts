/** The agent works on the files until it says that it is done, or has to stop. */
import {
  createLoopWatch,
  type LoopVerdict,
  type LoopWatch,
  noteTurn,
  runTurns,
  startConversation,
  systemPrompt,
  type Tool,
  type TurnsEnd,
  type TurnsStart,
  toolsFor,
} from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import type { Earlier } from './read-earlier.ts';
import type { CommonOptions } from './turn-options.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

/** What the agent left behind: a change to look at, something it has to be told, or an end. */
type RoundEnd = Exclude<TurnsEnd, { kind: 'yielded' }>;

export type Acted =
  | { kind: 'changed'; end: RoundEnd }
  | { kind: 'unsaved'; end: RoundEnd; problem: string }
  | { kind: 'ended'; outcome: Outcome };

export type Act = (told: string, round: number) => Promise<Acted>;

/** Binds what stays the same over all rounds of one attempt; each round goes on with the same conversation. */
export function createAct(
  work: Work,
  common: CommonOptions,
  workspace: Workspace,
  earlier: Earlier | undefined,
): Act {
  const { kind } = work.claim.operation.request;
  const turns = createTurns(work, common, earlier);
  return async (told, round) => {
    const end = await turns(told, round);
    if (end.kind === 'yielded') throw work.yieldNow();
    if (kind === 'ask') return { kind: 'ended', outcome: endWithout(end, 'answer') };
    const { problem } = await workspace.saveRest();
    if (problem !== undefined) return { kind: 'unsaved', end, problem };
    if (workspace.head() === workspace.baseCommit)
      return { kind: 'ended', outcome: endWithout(end, 'unchanged') };
    return { kind: 'changed', end };
  };
}

function createTurns(work: Work, common: CommonOptions, earlier: Earlier | undefined) {
  const { kind } = work.claim.operation.request;
  const conversation = { ...(earlier?.conversation ?? startConversation()), totals: work.totals };
  const tools = toolsFor(kind);
  const loops = createLoopWatch({ tools, threshold: work.config.loopThreshold });
  const mine = { ...common, tools, system: systemPrompt(kind), conversation, loops };
  const verdict = earlier && replayLoops(loops, tools, earlier);
  let unfinished = earlier;
  return async (told: string, round: number): Promise<TurnsEnd> => {
    const isNew = unfinished === undefined;
    const start = unfinished && unfinished.round > 0 ? await goOn(work, unfinished) : { told };
    unfinished = undefined;
    if ('kind' in start) return start;
    return runTurns({ ...start, verdict: isNew ? undefined : verdict }, { ...mine, round });
  };
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

/** The round of an earlier attempt: what was cut off in it is on record as that before anything new happens. */
export async function goOn(
  work: Work,
  { start, end, interrupted }: Pick<Earlier, 'start' | 'end' | 'interrupted'>,
): Promise<TurnsStart | TurnsEnd> {
  if (interrupted.length > 0)
    await work.record(...interrupted.map((part) => ({ type: 'part.finished' as const, part })));
  return end ?? start;
}

/** How it ends when nothing is left to propose. */
function endWithout(end: RoundEnd, kind: 'answer' | 'unchanged'): Outcome {
  if (end.kind === 'stopped') return { kind: 'failure', reason: end.reason, message: end.message };
  return kind === 'answer' ? { kind, answer: end.text } : { kind, message: end.text };
}
