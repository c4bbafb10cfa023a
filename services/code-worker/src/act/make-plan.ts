/** Lets the agent read the repository and propose a plan. It changes nothing before a person approves the plan. */
import { planFirst, planMissing, planningTools } from '@fettle/agent';
import type { Outcome, Plan } from '@fettle/contract';
import type { Attempt } from '../attempt/attempt.ts';
import { failed } from '../attempt/ends.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import { createTurns } from './create-turns.ts';
import { createCommonOptions, firstUserMessage } from './turn-options.ts';

/** Ends the attempt: the operation waits for approval. */
export interface MadePlan {
  kind: 'plan';
  plan: Plan;
}

/** How often to remind an agent that ended without a plan. */
const maxReminders = 2;

export async function makePlan(
  attempt: Omit<Attempt, 'log' | 'ownership' | 'publish'>,
  workspace: Workspace,
  earlier: Earlier | undefined,
): Promise<MadePlan | Outcome> {
  const { state, stop } = attempt;
  const common = createCommonOptions(attempt, workspace, earlier);
  const made: Plan[] = [];
  const tools = planningTools((plan) => made.push(plan));
  const shouldYield = () => made.length > 0 || stop.shouldYield();
  const runTurns = createTurns(attempt, common, earlier, { ...tools, shouldYield });
  let userMessage = `${firstUserMessage(attempt, workspace)}\n\n${planFirst}`;
  await state.moveTo('acting');
  for (let reminders = earlier?.plan.reminders ?? 0; ; reminders++) {
    const end = await runTurns(userMessage, 1);
    const [plan] = made;
    if (plan) return { kind: 'plan', plan };
    if (end.kind === 'yielded') throw stop.yieldError();
    if (end.kind === 'stopped') return failed(end.reason, end.message);
    if (reminders >= maxReminders) return failed('no_plan', end.text.slice(0, 1_000));
    userMessage = planMissing;
  }
}
