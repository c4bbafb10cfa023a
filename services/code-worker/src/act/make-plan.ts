/** The agent reads, and says what it means to do. Nothing is changed before a person has approved that. */
import { planFirst, planMissing, planningTools, requestPrompt } from '@fettle/agent';
import type { Outcome, Plan } from '@fettle/contract';
import type { Work } from '../attempt/attempt.ts';
import { failure } from '../attempt/failure.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createTurns } from './create-turns.ts';
import { createCommonOptions } from './turn-options.ts';

/** The attempt ends here, and its operation waits for a decision. */
export interface MadePlan {
  kind: 'plan';
  plan: Plan;
}

/** How often an agent that ended without a plan is asked for one. */
const maxReminders = 2;

export async function makePlan(
  work: Work,
  workspace: Workspace,
  earlier: Earlier | undefined,
): Promise<MadePlan | Outcome> {
  const { baseBranch, config, instructions } = workspace;
  const { commands } = config;
  const common = createCommonOptions(work, workspace, earlier);
  const made: Plan[] = [];
  const tools = planningTools((plan) => made.push(plan));
  const shouldYield = () => made.length > 0 || work.shouldYield();
  const turns = createTurns(work, common, earlier, { ...tools, shouldYield });
  const { request } = work.claim.operation;
  let told = `${requestPrompt(request, { baseBranch, commands, instructions })}\n\n${planFirst}`;
  await work.moveTo('acting');
  for (let reminders = earlier?.plan.reminders ?? 0; ; reminders++) {
    const end = await turns(told, 1);
    const [plan] = made;
    if (plan) return { kind: 'plan', plan };
    if (end.kind === 'yielded') throw work.yieldNow();
    if (end.kind === 'stopped') return failure(end.reason, end.message).outcome;
    if (reminders >= maxReminders) return failure('no_plan', end.text.slice(0, 1_000)).outcome;
    told = planMissing;
  }
}
