import {
  costOf,
  createKeptOutputs,
  createRateLimit,
  defaultToolLimits,
  noHooks,
  requestPrompt,
  type TurnOptions,
} from '@fettle/agent';
import { tightestBudgets } from '@fettle/contract';
import type { Attempt } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
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
    budgets: tightestBudgets(claim.budgets, workspace.config.budgets, claim.operation.request.budgets),
    costOf: (usage) => costOf(model.name, usage),
    window: { tokens: model.contextTokens, ...config.compaction },
    maxOutputTokens: config.model.maxOutputTokens,
    secondsSpent: () => (earlier?.secondsSpent ?? 0) + spent.seconds(),
    shouldYield: stop.shouldYield,
    record: record.append,
    signal,
  };
}

/** The first user message of the conversation. */
export function firstUserMessage(
  { claim }: Pick<Attempt, 'claim'>,
  { baseBranch, config, durations, programs, unusableChecks, instructions }: Workspace,
): string {
  const unusable = unusableChecks.map(({ name, obstacle }) => `${name}: ${obstacle.message}`);
  const { commands, setup } = config;
  return requestPrompt(claim.operation.request, {
    ...{ baseBranch, commands, setup, unusable, instructions, programs },
    usualSeconds: durations.usual,
  });
}
