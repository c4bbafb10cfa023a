import {
  costOf,
  createKeptOutputs,
  createRateLimit,
  defaultToolLimits,
  noHooks,
  requestPrompt,
  revisionPrompt,
  type TurnOptions,
} from '@fettle/agent';
import { type Budgets, tightestBudgets } from '@fettle/contract';
import type { Attempt } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Revision } from '../attempt/read-revision.ts';
import { createInstall } from '../prepare/installing.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createSecretTokens } from '../secrets/masking/secret-tokens.ts';

/** The options that the agent and the reviewer of one attempt have in common. They share their budgets. */
export type CommonOptions = Omit<TurnOptions, 'tools' | 'system' | 'conversation' | 'round' | 'takeMessages'>;

export function createCommonOptions(
  attempt: Omit<Attempt, 'log' | 'messages' | 'ownership' | 'publish' | 'state'>,
  workspace: Workspace,
  earlier: Earlier | undefined,
): CommonOptions {
  const { claim, config, model, record, secrets, spent, stop } = attempt;
  const { signal } = stop;
  const { sandbox, history, judgePath, commandPolicy, saveChanges } = workspace;
  return {
    model,
    context: {
      sandbox,
      history,
      commands: workspace.config.commands,
      install: createInstall(attempt, sandbox, workspace.config),
      limits: { ...defaultToolLimits, ...config.toolLimits },
      outputs: createKeptOutputs(),
      onCheck: workspace.recentChecks.note,
      signal,
      rateLimit: createRateLimit(config.filePace, signal),
    },
    judgePath,
    commandPolicy,
    saveChanges,
    mask: secrets.masking.mask,
    secrets: createSecretTokens(secrets.masking, workspace),
    hooks: noHooks,
    budgets: addSpent(
      tightestBudgets(claim.budgets, workspace.config.budgets, claim.operation.request.budgets),
      earlier?.revision,
    ),
    costOf: (usage) => costOf(model.name, usage),
    window: { tokens: model.contextTokens, ...config.compaction },
    maxOutputTokens: config.model.maxOutputTokens,
    secondsSpent: () => (earlier?.secondsSpent ?? 0) + spent.seconds(),
    shouldYield: stop.shouldYield,
    record: record.append,
    signal,
  };
}

/** Totals count over all revisions, so what earlier ones used up is added to the budgets. */
function addSpent(budgets: Budgets, revision: Revision | undefined): Budgets {
  if (revision === undefined) return budgets;
  const { totals, secondsSpent } = revision.spentBefore;
  const { parts = 0, turns = 0, tokens = 0, usd = 0 } = totals;
  return {
    parts: budgets.parts + parts,
    turns: budgets.turns + turns,
    tokens: budgets.tokens + tokens,
    usd: budgets.usd + usd,
    seconds: Math.ceil(budgets.seconds + secondsSpent),
  };
}

/** The first user message of the conversation, or of a revision. */
export function firstUserMessage(
  { claim }: Pick<Attempt, 'claim'>,
  {
    baseBranch,
    config,
    durations,
    programs,
    problems,
    revising,
    setupLack,
    unusableChecks,
    instructions,
  }: Workspace,
): string {
  if (revising) return revisionPrompt(revising);
  const unusable = describeUnusable(unusableChecks);
  const { commands, setup } = config;
  return requestPrompt(claim.operation.request, {
    ...{ baseBranch, commands, setup, unusable, instructions, programs, problems },
    isSetUp: setupLack === undefined,
    usualSeconds: durations.usual,
  });
}

/** What cannot run, for the agent and the reviewer, in the words of the proposal. */
export const describeUnusable = (unusable: Workspace['unusableChecks']): string[] =>
  unusable.map(({ name, command, obstacle }) =>
    obstacle.message.startsWith(command)
      ? `${name}: ${obstacle.message}`
      : `${name}: ${command}: ${obstacle.message}`,
  );
