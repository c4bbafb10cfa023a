/** The agent works on the files until it says that it is done, or has to stop. */
import { type TurnsEnd, toolsFor } from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import type { Work } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createTurns } from './create-turns.ts';
import type { CommonOptions } from './turn-options.ts';

/** What the agent left behind: a change to look at, something it has to be told, or an end. */
type RoundEnd = Exclude<TurnsEnd, { kind: 'yielded' }>;

export type Acted =
  | { kind: 'changed'; end: RoundEnd }
  | { kind: 'unsaved'; end: RoundEnd; problem: string }
  | { kind: 'ended'; outcome: Outcome };

/** Nothing is told where people have something to say. */
export type Act = (told: string | undefined, round: number) => Promise<Acted>;

/** Binds what stays the same over all rounds of one attempt. */
export function createAct(
  work: Work,
  common: CommonOptions,
  workspace: Workspace,
  earlier: Earlier | undefined,
): Act {
  const { kind } = work.claim.operation.request;
  const turns = createTurns(work, common, earlier, { tools: toolsFor(kind, common.commandPolicy.mode) });
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

/** How it ends when nothing is left to propose. */
function endWithout(end: RoundEnd, kind: 'answer' | 'unchanged'): Outcome {
  if (end.kind === 'stopped') return { kind: 'failure', reason: end.reason, message: end.message };
  return kind === 'answer' ? { kind, answer: end.text } : { kind, message: end.text };
}
