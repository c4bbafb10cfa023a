/** The turns of one attempt: each round goes on with the same conversation, the first one where an earlier attempt left off. */
import {
  type CallSurroundings,
  createPace,
  defaultToolLimits,
  runTurns,
  startConversation,
  systemPrompt,
  type TurnsEnd,
  type TurnsStart,
} from '@fettle/agent';
import { tightestBudgets } from '@fettle/contract';
import { createInstall } from './installing.ts';
import type { Earlier } from './read-earlier.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

export type Turns = (told: string | undefined, round: number) => Promise<TurnsEnd>;

export interface TurnsSettings extends Pick<CallSurroundings, 'tools' | 'withheld'> {
  /** Whether to stop at the next good moment. */
  shouldYield(): boolean;
}

export function createTurns(
  work: Work,
  workspace: Workspace,
  earlier: Earlier | undefined,
  settings: TurnsSettings,
): Turns {
  const { claim, config, model, record, signal, takeMessages } = work;
  const secondsSpent = () => (earlier?.secondsSpent ?? 0) + work.secondsSpent();
  const { sandbox, history, judgePath, saveChanges } = workspace;
  const { request } = claim.operation;
  const conversation = { ...(earlier?.conversation ?? startConversation()), totals: work.totals };
  let unfinished = earlier;
  const context = {
    sandbox,
    history,
    commands: workspace.config.commands,
    install: createInstall(work, sandbox, workspace.config),
    limits: { ...defaultToolLimits, ...config.toolLimits },
    signal,
    pace: createPace(config.filePace, signal),
  };
  const budgets = tightestBudgets(claim.budgets, workspace.config.budgets, request.budgets);
  const surroundings = { ...settings, context, judgePath, saveChanges };
  const system = systemPrompt(request.kind);
  const said = { ...surroundings, model, system, conversation, budgets };
  return async (told, round) => {
    const start = unfinished && unfinished.round > 0 ? await goOn(work, unfinished) : { told };
    unfinished = undefined;
    if ('kind' in start && (start.kind !== 'done' || (await takeMessages()).length === 0)) return start;
    // An agent that was done hears what people said since.
    const begin = 'kind' in start ? {} : start;
    return runTurns(begin, { ...said, round, secondsSpent, takeMessages, record, signal });
  };
}

/** The round of an earlier attempt: what was cut off in it is on record as that before anything new happens. */
async function goOn(work: Work, earlier: Earlier): Promise<TurnsStart | TurnsEnd> {
  await recordInterrupted(work, earlier);
  return earlier.end ?? earlier.start;
}

export async function recordInterrupted(work: Work, { interrupted }: Earlier): Promise<void> {
  if (interrupted.length > 0)
    await work.record(...interrupted.map((part) => ({ type: 'part.finished' as const, part })));
}
