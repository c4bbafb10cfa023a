/** Lets the agent change files until it finishes or has to stop. */
import { type TurnsEnd, toolsFor } from '@fettle/agent';
import type { Outcome } from '@fettle/contract';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createTurns } from './create-turns.ts';
import type { CommonOptions } from './turn-options.ts';

/** How the agent ended its turns. */
export type AgentEnd = Exclude<TurnsEnd, { kind: 'yielded' }>;

export type Acted =
  | { kind: 'changed'; end: AgentEnd }
  /** The changes could not be saved. */
  | { kind: 'unsaved'; end: AgentEnd; problem: string }
  | { kind: 'ended'; outcome: Outcome };

/** Without a user message, the agent continues with the pending messages from people. */
export type Act = (userMessage: string | undefined, round: number) => Promise<Acted>;

export interface ActOptions {
  common: CommonOptions;
  workspace: Workspace;
  earlier: Earlier | undefined;
}

export function createAct(
  attempt: Pick<Attempt, 'claim' | 'config' | 'messages' | 'record' | 'spent' | 'stop'>,
  { common, workspace, earlier }: ActOptions,
): Act {
  const { kind } = attempt.claim.operation.request;
  const runTurns = createTurns(attempt, common, earlier, {
    tools: toolsFor(kind, common.commandPolicy.mode),
  });
  return async (userMessage, round) => {
    const end = await runTurns(userMessage, round);
    if (end.kind === 'yielded') throw attempt.stop.yieldError();
    if (kind === 'ask') return { kind: 'ended', outcome: endWithoutChange(end, 'answer') };
    const { problem } = await workspace.saveRest();
    if (problem !== undefined) return { kind: 'unsaved', end, problem };
    if (await workspace.isUnchanged()) return { kind: 'ended', outcome: endWithoutChange(end, 'unchanged') };
    return { kind: 'changed', end };
  };
}

function endWithoutChange(end: AgentEnd, kind: 'answer' | 'unchanged'): Outcome {
  if (end.kind === 'stopped') return failed(end.reason, end.message);
  return kind === 'answer' ? { kind, answer: end.text } : { kind, message: end.text };
}
