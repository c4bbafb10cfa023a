import {
  costOf,
  createKeptOutputs,
  createPace,
  defaultToolLimits,
  noHooks,
  type TurnOptions,
} from '@fettle/agent';
import { tightestBudgets } from '@fettle/contract';
import type { Work } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import { createInstall } from '../prepare/installing.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createSecretTokens } from '../secrets/masking/secret-tokens.ts';

/** What is the same for every agent that works in one attempt; budgets are shared by all of them. */
export type CommonOptions = Omit<TurnOptions, 'tools' | 'system' | 'conversation' | 'round' | 'takeMessages'>;

export function createCommonOptions(
  work: Work,
  workspace: Workspace,
  earlier: Earlier | undefined,
): CommonOptions {
  const { claim, config, model, record, shouldYield, signal } = work;
  const { sandbox, history, judgePath, commandPolicy, saveChanges } = workspace;
  return {
    model,
    context: {
      sandbox,
      history,
      commands: workspace.config.commands,
      install: createInstall(work, sandbox, workspace.config),
      limits: { ...defaultToolLimits, ...config.toolLimits },
      outputs: createKeptOutputs(),
      signal,
      pace: createPace(config.filePace, signal),
    },
    judgePath,
    commandPolicy,
    saveChanges,
    mask: work.masking.mask,
    secrets: createSecretTokens(work.masking, workspace),
    hooks: noHooks,
    budgets: tightestBudgets(claim.budgets, workspace.config.budgets, claim.operation.request.budgets),
    costOf: (usage) => costOf(model.name, usage),
    window: { tokens: model.contextTokens, ...config.compaction },
    maxOutputTokens: config.model.maxOutputTokens,
    secondsSpent: () => (earlier?.secondsSpent ?? 0) + work.secondsSpent(),
    shouldYield,
    record,
    signal,
  };
}
