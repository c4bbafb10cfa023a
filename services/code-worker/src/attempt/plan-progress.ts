import { planMissing, planToolName, planWords } from '@fettle/agent';
import { type Event, type Plan, planSchema } from '@fettle/contract';

/** Where an operation stands that begins with a plan, by its record. */
export interface PlanStanding {
  isApproved: boolean;
  /** A plan that was made and did not get to the person who decides. */
  made: Plan | undefined;
  /** What a person decided, where no turn has told it yet. */
  told: string | undefined;
  /** In how many turns the agent was told that there is no plan, since the last decision. */
  reminders: number;
}

export function readPlanStanding(events: Event[]): PlanStanding {
  let isApproved = false;
  let made: Plan | undefined;
  let told: string | undefined;
  let reminded = new Set<number>();
  for (const event of events) {
    if (event.type === 'plan.proposed') made = undefined;
    else if (event.type === 'plan.decided') {
      isApproved = event.decision === 'approve';
      told = planWords(event);
      reminded = new Set();
    } else if (event.type === 'turn.started') {
      told = undefined;
      if (event.told?.startsWith(planMissing)) reminded.add(event.turn);
    } else if (event.type === 'part.finished' && event.part.kind === 'tool') {
      const { tool, status, input } = event.part;
      if (tool === planToolName && status === 'ok') made = planSchema.parse(input);
    }
  }
  return { isApproved, made, told, reminders: reminded.size };
}
