/** The agent works on the files until it says that it is done, or has to stop. */
import {
  createPace,
  defaultToolLimits,
  runTurns,
  startConversation,
  systemPrompt,
  type TurnsEnd,
  toolsFor,
} from '@fettle/agent';
import { type Outcome, tightestBudgets } from '@fettle/contract';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

/** What the agent left behind: a change to look at, something it has to be told, or an end. */
export type Acted =
  | { kind: 'changed'; end: TurnsEnd }
  | { kind: 'unsaved'; end: TurnsEnd; problem: string }
  | { kind: 'ended'; outcome: Outcome };

export type Act = (told: string) => Promise<Acted>;

/** Binds what stays the same over all rounds of one attempt; each round goes on with the same conversation. */
export function createAct(work: Work, workspace: Workspace): Act {
  const { kind } = work.claim.operation.request;
  const turns = createTurns(work, workspace);
  return async (told) => {
    const end = await turns(told);
    if (kind === 'ask') return { kind: 'ended', outcome: endWithout(end, 'answer') };
    const { problem } = await workspace.saveChanges();
    if (problem !== undefined) return { kind: 'unsaved', end, problem };
    if (workspace.head() === workspace.baseCommit)
      return { kind: 'ended', outcome: endWithout(end, 'unchanged') };
    return { kind: 'changed', end };
  };
}

function createTurns(work: Work, workspace: Workspace): (told: string) => Promise<TurnsEnd> {
  const { claim, config, model, record, secondsSpent, signal } = work;
  const { sandbox, history, judgePath, saveChanges } = workspace;
  const { request } = claim.operation;
  const conversation = { ...startConversation(), totals: work.totals };
  const context = {
    sandbox,
    history,
    commands: workspace.config.commands,
    limits: { ...defaultToolLimits, ...config.toolLimits },
    signal,
    pace: createPace(config.filePace, signal),
  };
  const budgets = tightestBudgets(claim.budgets, workspace.config.budgets, request.budgets);
  const surroundings = { tools: toolsFor(request.kind), context, judgePath, saveChanges };
  const system = systemPrompt(request.kind);
  return (told) =>
    runTurns(told, { ...surroundings, model, system, conversation, budgets, secondsSpent, record, signal });
}

/** How it ends when nothing is left to propose. */
function endWithout(end: TurnsEnd, kind: 'answer' | 'unchanged'): Outcome {
  if (end.kind === 'stopped') return { kind: 'failure', reason: end.reason, message: end.message };
  return kind === 'answer' ? { kind, answer: end.text } : { kind, message: end.text };
}
