import { planDecisionMessage, planMissing, planToolName } from '@fettle/agent';
import { type Event, type Plan, planSchema } from '@fettle/contract';

/** How far the planning of an operation has come, according to its record. */
export interface PlanProgress {
  isApproved: boolean;
  /** A plan that the agent made, but that was not submitted for approval yet. */
  unsubmitted: Plan | undefined;
  /** The decision about the last plan, while no turn has passed it on to the agent. */
  userMessage: string | undefined;
  /** In how many turns the agent was reminded to make a plan, since the last decision. */
  reminders: number;
}

export function readPlanProgress(events: Event[]): PlanProgress {
  let isApproved = false;
  let unsubmitted: Plan | undefined;
  let userMessage: string | undefined;
  let reminded = new Set<number>();
  for (const event of events) {
    if (event.type === 'plan.proposed') unsubmitted = undefined;
    else if (event.type === 'plan.decided') {
      isApproved = event.decision === 'approve';
      userMessage = planDecisionMessage(event);
      reminded = new Set();
    } else if (event.type === 'turn.started') {
      userMessage = undefined;
      if (event.told?.startsWith(planMissing)) reminded.add(event.turn);
    } else if (event.type === 'part.finished' && event.part.kind === 'tool') {
      const { tool, status, input } = event.part;
      if (tool === planToolName && status === 'ok') unsubmitted = planSchema.parse(input);
    }
  }
  return { isApproved, unsubmitted, userMessage, reminders: reminded.size };
}
